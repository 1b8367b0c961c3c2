internal import ChatModel
internal import Dispatch
internal import Hub
internal import Synchronization

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
  private let queue = DispatchQueue(label: "banter.operator-log")
  private let waiting = Mutex(Waiting())

  init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  func write(_ entry: HubLogEntry) {
    var fields = [("peer", entry.peer)]
    if let profileID = entry.profileID { fields.append(("profile", profileID)) }
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
      return "banter: \(kind): \(Output.error.inert(values))\n"
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
