internal import FoundationEssentials

/// What JetStream answers (NATS ADR-1; the server's jetstream_api.go).
enum JetStream {
  struct Stream: Decodable {
    struct State: Decodable {
      var last_seq: UInt64
    }

    var created: String
    var state: State
  }

  struct Consumer: Decodable {
    var num_pending: UInt64
  }

  struct Publication: Decodable {
    private enum Key: CodingKey { case seq, duplicate }

    var seq: UInt64
    var duplicate: Bool?

    init(from decoder: any Decoder) throws {
      let answer = try decoder.container(keyedBy: Key.self)
      seq = try answer.decode(UInt64.self, forKey: .seq)
      duplicate = try answer.decodeIfPresent(Bool.self, forKey: .duplicate)
      guard seq <= LogPlace.maximumSequence else {
        throw DecodingError.dataCorruptedError(
          forKey: .seq, in: answer, debugDescription: "no stream comes so far")
      }
    }
  }

  /// Any of them, or why there is none.
  private struct Answer<Body: Decodable>: Decodable {
    struct Refusal: Decodable {
      var code: Int
      var description: String?
    }

    private enum Key: CodingKey { case error }

    var result: Result<Body, ClusterFault>

    init(from decoder: any Decoder) throws {
      let error = try decoder.container(keyedBy: Key.self).decodeIfPresent(
        Refusal.self, forKey: .error)
      if let error {
        // A stream that has no leader for the moment gets one.
        let kind: ClusterFault.Kind =
          error.code == 404 ? .notFound : error.code == 503 ? .unavailable : .other
        result = .failure(
          ClusterFault(kind, error.description ?? "JetStream says \(error.code)"))
      } else {
        result = .success(try Body(from: decoder))
      }
    }
  }

  /// Reads an answer.
  /// - Throws: why JetStream has refused, or that this is no answer of its.
  static func decode<Body: Decodable>(
    _ type: Body.Type, _ bytes: [UInt8]
  ) throws(ClusterFault) -> Body {
    guard let answer = try? JSONDecoder().decode(Answer<Body>.self, from: Data(bytes)) else {
      throw ClusterFault(.other, "an answer that is none of JetStream's")
    }
    return try answer.result.get()
  }
}
