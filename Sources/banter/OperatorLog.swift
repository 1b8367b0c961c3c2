internal import ChatModel
internal import Dispatch
internal import Glibc
internal import Hub
internal import Synchronization
internal import Transport

/// What an operator of a hub wants to know, a line each on standard error, by a
/// queue of its own: whoever does not read it holds up nobody else.
final class OperatorLog: Sendable {
  /// How many lines wait; what comes beyond them is counted.
  private static let limit = 1_000
  private static let patience = DispatchTimeInterval.seconds(1)

  private struct Waiting {
    var count = 0
    var leftOut = 0
  }

  private let isJSON: Bool
  /// Whether whoever keeps the lines notes the time of each.
  private let isTimed: Bool
  private let queue = DispatchQueue(label: "banter.operator-log")
  private let waiting = Mutex(Waiting())

  init(isJSON: Bool, environment: [String: String]) {
    self.isJSON = isJSON
    isTimed = Self.isJournal(environment["JOURNAL_STREAM"])
  }

  /// Whether standard error is the stream to the journal that a service got
  /// (systemd.exec(5), JOURNAL_STREAM): one that was redirected is not.
  private static func isJournal(_ stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  func write(_ entry: HubLogEntry) {
    var fields = [("peer", entry.peer)]
    if let profileID = entry.profileID { fields.append(("profile", profileID)) }
    if let account = entry.triedAccount { fields.append(("account", account)) }
    fields.append(("text", entry.text))
    write(entry.kind.rawValue, fields)
  }

  func write(_ kind: String, _ fields: [(String, String)]) {
    let isTaken = waiting.withLock { waiting in
      guard waiting.count < Self.limit else {
        waiting.leftOut += 1
        return false
      }
      waiting.count += 1
      return true
    }
    guard isTaken else { return }
    let now = Timestamp.now
    queue.async { [self] in
      put(line(kind, fields, now))
      let leftOut = waiting.withLock { waiting in
        defer { waiting.leftOut = 0 }
        waiting.count -= 1
        return waiting.leftOut
      }
      guard leftOut > 0 else { return }
      put(line("problem", [("text", "\(leftOut) lines were left out here")], now))
    }
  }

  /// Waits a moment until everything is written.
  func finish() {
    let end = DispatchGroup()
    queue.async(group: end) {}
    _ = end.wait(timeout: .now() + Self.patience)
  }

  private func put(_ line: String) {
    try? Output.error.write(line)
  }

  private func line(_ kind: String, _ fields: [(String, String)], _ time: Timestamp) -> String {
    let fields = fields.filter { !$0.1.isEmpty }
    guard isJSON else {
      let values = fields.map(\.1).joined(separator: ": ")
      let time = isTimed ? "" : "\(time.rfc3339) "
      return "\(time)banter: \(kind): \(Output.error.inert(values))\n"
    }
    var line: [UInt8] = []
    JSONObjectWriter.append(to: &line) { object in
      object.string("time", time.rfc3339)
      object.string("event", kind)
      for (name, value) in fields { object.text(named: name, value) }
    }
    return String(decoding: line, as: UTF8.self) + "\n"
  }
}
