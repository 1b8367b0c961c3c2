internal import FoundationEssentials

/// What JetStream answers (NATS ADR-1; the server's jetstream_api.go).
enum JetStream {
  /// An answer that says why there is none.
  struct Refusal: Decodable {
    struct Reason: Decodable {
      var code: Int
      var description: String?
    }

    var error: Reason?
  }

  struct Stream: Decodable {
    struct State: Decodable {
      var first_seq: UInt64
      var last_seq: UInt64
      var messages: UInt64
    }

    struct Configuration: Decodable {
      var name: String
      var num_replicas: Int
      var max_msgs_per_subject: Int64
    }

    var created: String
    var state: State
    var config: Configuration
  }

  struct Consumer: Decodable {
    var num_pending: UInt64
  }

  struct Publication: Decodable {
    var seq: UInt64
    var duplicate: Bool?
  }

  /// Reads an answer.
  /// - Throws: why JetStream has refused, or that this is no answer of its.
  static func decode<Answer: Decodable>(
    _ type: Answer.Type, _ bytes: [UInt8]
  ) throws(ClusterFault) -> Answer {
    let data = Data(bytes)
    let decoder = JSONDecoder()
    if let refusal = try? decoder.decode(Refusal.self, from: data), let error = refusal.error {
      let reason = error.description ?? "JetStream says \(error.code)"
      // A stream that has no leader for the moment gets one.
      throw ClusterFault(
        error.code == 404 ? .notFound : error.code == 503 ? .unavailable : .other, reason)
    }
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw ClusterFault(.other, "an answer that is none of JetStream's")
    }
  }
}
