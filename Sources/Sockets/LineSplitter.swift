/// Cuts what arrives into lines; what is not finished waits, and takes no
/// memory where there is none.
package struct LineSplitter {
  /// A line was longer than it may be.
  package struct TooLong: Error {
    package var limitInBytes: Int
  }

  private let limitInBytes: Int
  private var unfinished: [UInt8] = []

  package init(limitInBytes: Int) {
    self.limitInBytes = limitInBytes
  }

  /// Whether the beginning of a line waits for its end.
  package var isWithinLine: Bool { !unfinished.isEmpty }

  /// Calls `body` with each line that the bytes finish, without its newline
  /// and without a carriage return before it. The line's bytes are good within
  /// the call only.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(TooLong) {
    var rest = bytes[...]
    while let newline = rest.firstNewline {
      let line = UnsafeRawBufferPointer(rebasing: rest[..<newline])
      rest = rest[(newline + 1)...]
      guard unfinished.count + line.count <= limitInBytes else {
        throw TooLong(limitInBytes: limitInBytes)
      }
      if unfinished.isEmpty { body(line.withoutReturn) } else { finish(with: line, body) }
    }
    guard unfinished.count + rest.count <= limitInBytes else {
      throw TooLong(limitInBytes: limitInBytes)
    }
    if !rest.isEmpty { unfinished.append(contentsOf: rest) }
  }

  private mutating func finish(
    with end: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var line: [UInt8] = []
    swap(&line, &unfinished)
    line.append(contentsOf: end)
    line.withUnsafeBytes { body($0.withoutReturn) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var withoutReturn: UnsafeRawBufferPointer {
    last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: dropLast()) : self
  }
}
