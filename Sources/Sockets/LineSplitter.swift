/// Cuts what arrives into lines; what is not finished waits, and takes no
/// memory where there is none.
package struct LineSplitter {
  /// A line was longer than it may be.
  package struct TooLong: Error {
    package var limitInBytes: Int
  }

  /// How long a line may be, without its newline.
  package var limitInBytes: Int
  private var unfinished: [UInt8] = []
  /// What came behind the line at which it was told to stop.
  private var held: [UInt8] = []

  package init(limitInBytes: Int) {
    self.limitInBytes = limitInBytes
  }

  /// Whether the beginning of a line waits for its end.
  package var isWithinLine: Bool { !unfinished.isEmpty }

  /// Whether something was held back; the next feeding begins with it.
  package var isHolding: Bool { !held.isEmpty }

  /// Calls `body` with each line that the bytes finish, without its newline
  /// and without a carriage return before it, as long as it says to go on;
  /// what is behind that is held back. The line's bytes are good within the
  /// call only.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(TooLong) {
    guard isHolding else { return try split(bytes, body) }
    var all: [UInt8] = []
    swap(&all, &held)
    all.append(contentsOf: bytes)
    let result = all.withUnsafeBytes { bytes in
      Result { () throws(TooLong) in try split(bytes, body) }
    }
    try result.get()
  }

  private mutating func split(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(TooLong) {
    var rest = bytes[...]
    while let newline = rest.firstNewline {
      let line = UnsafeRawBufferPointer(rebasing: rest[..<newline])
      rest = rest[(newline + 1)...]
      guard unfinished.count + line.count <= limitInBytes else {
        throw TooLong(limitInBytes: limitInBytes)
      }
      let goesOn =
        if unfinished.isEmpty { body(line.withoutReturn) } else { finish(with: line, body) }
      guard goesOn else { return held = Array(rest) }
    }
    guard unfinished.count + rest.count <= limitInBytes else {
      throw TooLong(limitInBytes: limitInBytes)
    }
    if !rest.isEmpty { unfinished.append(contentsOf: rest) }
  }

  private mutating func finish(
    with end: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var line: [UInt8] = []
    swap(&line, &unfinished)
    line.append(contentsOf: end)
    return line.withUnsafeBytes { body($0.withoutReturn) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var withoutReturn: UnsafeRawBufferPointer {
    last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: dropLast()) : self
  }
}
