internal import CNATS

/// What came over a subject.
struct NATSMessage: Sendable {
  var subject: String
  /// Where an answer is wanted; of a message out of the log, its place (see
  /// ``LogPlace``).
  var reply: String?
  var bytes: [UInt8]
  /// The headers that are asked for here, by their names.
  var headers: [Header: String] = [:]

  /// Names of headers (NATS ADR-4, ADR-8, ADR-31).
  enum Header: String, CaseIterable {
    /// A status without a message, such as "no responders".
    case status = "Status"
    case description = "Description"
    case messageID = "Nats-Msg-Id"
    case sequence = "Nats-Sequence"
    /// Of a message that was published again: the one before it on its subject.
    case lastSequence = "Nats-Last-Sequence"
  }

  init(subject: String, reply: String? = nil, bytes: [UInt8], headers: [Header: String] = [:]) {
    (self.subject, self.reply, self.bytes, self.headers) = (subject, reply, bytes, headers)
  }

  /// Copies what libnats holds; the message stays its owner's.
  init(_ message: OpaquePointer, reading names: [Header]) {
    subject = String(cString: natsMsg_GetSubject(message))
    reply = natsMsg_GetReply(message).map { String(cString: $0) }
    let count = Int(natsMsg_GetDataLength(message))
    bytes = Array(
      UnsafeRawBufferPointer(start: count > 0 ? natsMsg_GetData(message) : nil, count: count))
    for name in names {
      var value: UnsafePointer<CChar>?
      guard natsMsgHeader_Get(message, name.rawValue, &value) == NATS_OK, let value else {
        continue
      }
      headers[name] = String(cString: value)
    }
  }

  func number(_ header: Header) -> UInt64? { headers[header].flatMap { UInt64($0) } }

  /// Why there is an answer without a message.
  var statusFault: ClusterFault? {
    guard let status = headers[.status] else { return nil }
    let reason = headers[.description] ?? "status \(status)"
    return switch status {
    case "503": ClusterFault(.unavailable, "nobody answers; is JetStream on, and the stream there?")
    case "404": ClusterFault(.notFound, reason)
    case "408": ClusterFault(.timeout, reason)
    default: ClusterFault(.other, reason)
    }
  }
}
