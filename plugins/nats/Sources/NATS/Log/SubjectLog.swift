/// The part of a stream that is one subject, such as a room's events, read a
/// page at a time.
///
/// A page is read by a consumer made for it, which the cluster forgets by
/// itself (NATS ADR-13): the library's own subscriptions fall silent, or out
/// of order, when a server dies.
struct SubjectLog: Sendable {
  let requests: ClusterRequests
  let stream: String
  let subject: String

  init(_ requests: ClusterRequests, stream: String, subject: String) {
    (self.requests, self.stream, self.subject) = (requests, stream, subject)
  }

  init(_ requests: ClusterRequests, room: String) {
    self.init(requests, stream: Subjects.stream, subject: Subjects.events(of: room))
  }

  /// Of a room's file.
  init(_ requests: ClusterRequests, file name: String, in room: String) {
    self.init(
      requests, stream: Subjects.fileStream, subject: Subjects.file(name, in: room))
  }

  /// When the stream was made: sequences of another one mean nothing.
  func streamFacts() async throws(ClusterFault) -> JetStream.Stream {
    let answer = try await requests.ask("$JS.API.STREAM.INFO.\(stream)")
    return try JetStream.decode(JetStream.Stream.self, answer.bytes)
  }

  /// The place of the last message; 0 where there is none.
  func lastSequence() async throws(ClusterFault) -> UInt64 {
    do throws(ClusterFault) {
      let last = try await requests.ask("$JS.API.DIRECT.GET.\(stream).\(subject)")
      guard let sequence = last.number(.sequence), sequence <= LogPlace.maximumSequence else {
        throw ClusterFault(.other, "the cluster does not say where \(subject) ends")
      }
      return sequence
    } catch  where error.kind == .notFound {
      return 0
    }
  }

  /// A reader at a place of the log.
  struct Reader: Sendable {
    var name: String
    /// How many messages were there from its place on.
    var pendingCount: UInt64
  }

  /// - Parameter sequence: of the first message that may be read, or of none
  ///   before it.
  func reader(from sequence: UInt64) async throws(ClusterFault) -> Reader {
    // It may be put on a server that has just died, and the next one elsewhere.
    for patience in [500, 500, 1_000, 2_000] {
      do throws(ClusterFault) {
        return try await makeReader(from: sequence, within: .milliseconds(patience))
      } catch  where error.kind == .timeout {
        continue
      }
    }
    return try await makeReader(from: sequence, within: .seconds(4))
  }

  /// So short that Swift keeps it without memory of its own: each message tells
  /// it.
  private static func makeName() -> String {
    String((0..<15).map { _ in letters.randomElement() ?? "x" })
  }

  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  private func makeReader(
    from sequence: UInt64, within patience: Duration
  ) async throws(ClusterFault) -> Reader {
    // Nobody else's: what one reads another would miss.
    let name = Self.makeName()
    let request = """
      {"stream_name":"\(stream)","config":{"name":"\(name)",\
      "deliver_policy":"by_start_sequence","opt_start_seq":\(max(sequence, 1)),\
      "ack_policy":"none","filter_subject":"\(subject)","mem_storage":true,"num_replicas":1,\
      "inactive_threshold":10000000000}}
      """
    let answer = try await requests.ask(
      "$JS.API.CONSUMER.CREATE.\(stream).\(name).\(subject)", Array(request.utf8),
      within: patience)
    let consumer = try JetStream.decode(JetStream.Consumer.self, answer.bytes)
    return Reader(name: name, pendingCount: min(consumer.num_pending, LogPlace.maximumSequence))
  }
}
