/// Rows that cannot be shown now, in their order.
struct HeldRows {
  /// As many messages as wait before the room is read no further.
  static let limit = 10_000
  /// As many bytes as their rows may have; a batch may go over it once.
  static let byteLimit = 16 << 20

  private(set) var rows: [String] = []
  private(set) var messageCount = 0
  private var byteCount = 0

  var isFull: Bool { messageCount >= Self.limit || byteCount >= Self.byteLimit }

  mutating func append(_ rows: [String], messages: Int) {
    self.rows += rows
    messageCount += messages
    byteCount += rows.reduce(0) { $0 + $1.utf8.count }
  }

  mutating func take() -> [String] {
    defer { self = HeldRows() }
    return rows
  }
}
