/// Rows that all styles write.
extension Transcript {
  /// Wraps `text` into `columns`, with the memory that is kept for it.
  mutating func wrap(_ text: String, columns: Int) -> WrappedText {
    if wrapper.columns != max(1, columns) { wrapper.columns = max(1, columns) }
    return wrapper.wrap(text)
  }

  /// The rows of a block: as many as it takes, or the one to which it is cut.
  mutating func wrap(_ block: TextBlock, columns: Int) -> WrappedText {
    guard block.isOneRow else {
      var wrapped = wrap(block.text, columns: columns)
      wrapped.styles = block.styles
      return wrapped
    }
    return wrap(fitting(block.text, columns: columns, options: options), columns: columns)
  }

  /// Appends `text`, whose rows after the first are indented.
  mutating func appendHanging(_ text: String, to bytes: inout [UInt8]) {
    let indent = options.area >= 12 ? 2 : options.area > 2 ? 1 : 0
    let wrapped = wrap(text, columns: options.area - indent)
    for (index, row) in wrapped.rows.enumerated() {
      if index > 0 { bytes.append(blanks: indent) }
      bytes.append(row, of: wrapped.text)
      bytes.endRow()
    }
  }

  /// Appends `text` in the middle of the rows.
  mutating func appendCentered(_ text: String, to bytes: inout [UInt8]) {
    let wrapped = wrap(text, columns: max(1, options.area - 4))
    for row in wrapped.rows {
      bytes.append(blanks: (options.area - row.columns) / 2)
      bytes.append(row, of: wrapped.text)
      bytes.endRow()
    }
  }

  /// Appends `text` a row a line; those after the first are indented, so that
  /// what is at the left edge is always the beginning of a message.
  mutating func appendUnwrapped(_ text: String, to bytes: inout [UInt8]) {
    let wrapped = wrap(text, columns: .max / 4)
    for (index, row) in wrapped.rows.enumerated() {
      if index > 0 { bytes.append(blanks: 2) }
      bytes.append(row, of: wrapped.text)
      bytes.endRow()
    }
  }
}
