import ChatModel

/// Rows are written as UTF-8, each ended by a newline.
extension [UInt8] {
  /// Appends the UTF-8 of `text`.
  mutating func append(_ text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends blanks; none when `count` is negative.
  mutating func append(blanks count: Int) {
    if count > 0 { append(contentsOf: repeatElement(0x20, count: count)) }
  }

  /// The bytes of one row of a wrapped text.
  mutating func append(_ row: WrappedRow, of text: String) {
    if let replacement = row.replacement {
      append(replacement)
      return
    }
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      append(contentsOf: bytes[row.start..<row.end])
    }
    if isDone == nil { append(row.string(in: text)) }
  }

  /// The same with its styles.
  mutating func append(_ row: WrappedRow, of wrapped: WrappedText, _ palette: Palette) {
    // In a row that says something else, nobody knows where they are.
    guard !wrapped.styles.isEmpty, row.replacement == nil else {
      return append(row, of: wrapped.text)
    }
    var position = row.start
    func part(to end: Int) -> WrappedRow {
      defer { position = end }
      return WrappedRow(start: position, end: end, columns: 0)
    }
    for range in wrapped.styles where range.end > row.start && range.start < row.end {
      append(part(to: Swift.max(position, range.start)), of: wrapped.text)
      append(palette.start(for: range.style))
      append(part(to: Swift.min(row.end, range.end)), of: wrapped.text)
      append(palette.reset)
    }
    append(part(to: row.end), of: wrapped.text)
  }

  /// Ends a row, without the blanks at its end.
  mutating func endRow() {
    while last == 0x20 { removeLast() }
    append(0x0A)
  }
}

/// The rows in `bytes`, each of which ends in a newline.
func rows(of bytes: [UInt8]) -> [String] {
  var result: [String] = []
  var start = 0
  for (index, byte) in bytes.enumerated() where byte == 0x0A {
    result.append(String(decoding: bytes[start..<index], as: UTF8.self))
    start = index + 1
  }
  return result
}
