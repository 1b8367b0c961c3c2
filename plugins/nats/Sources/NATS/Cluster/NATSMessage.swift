internal import CNATS
internal import Glibc

/// What came over a subject.
struct NATSMessage: Sendable {
  /// Empty for a message out of a log.
  var subject: String
  /// Where an answer is wanted.
  var reply: String?
  /// Of a message out of a log, which a consumer has handed over.
  var place: LogPlace?
  var bytes: [UInt8]
  /// Those that are asked for; none of a message out of a log.
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
    let count = Int(natsMsg_GetDataLength(message))
    bytes = Array(
      UnsafeRawBufferPointer(start: count > 0 ? natsMsg_GetData(message) : nil, count: count))
    subject = ""
    if let text = natsMsg_GetReply(message) {
      let letters = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
      place = LogPlace(
        acknowledgement: UnsafeBufferPointer(start: letters, count: strlen(text)))
      guard place == nil else { return }
      reply = String(cString: text)
    }
    subject = String(cString: natsMsg_GetSubject(message))
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
