/// Rows that cannot be shown now, in their order.
struct HeldRows {
  /// As many messages as wait before the room is read no further.
  static let limit = 10_000

  private(set) var rows: [String] = []
  private(set) var messageCount = 0

  var isFull: Bool { messageCount >= Self.limit }

  mutating func append(_ rows: [String], messages: Int) {
    self.rows += rows
    messageCount += messages
  }

  mutating func take() -> [String] {
    defer { self = HeldRows() }
    return rows
  }
}
