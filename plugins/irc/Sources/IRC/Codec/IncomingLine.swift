/// One line from a server, cut into its parts (RFC 1459, section 2.3.1; IRCv3
/// message tags): each is made into text only where it is asked for.
///
/// Its bytes are the caller's and must stay where they are as long as it
/// lives. Whatever the bytes are, they make a line.
package struct IncomingLine {
  package let bytes: UnsafeRawBufferPointer
  /// Without the `@`; empty where there are none.
  package private(set) var tags = 0..<0
  /// Without the `:`; nil where there is none.
  package private(set) var source: Range<Int>?
  package private(set) var verb = 0..<0
  package private(set) var parameters: [Range<Int>] = []

  /// - Parameter bytes: without the end of the line.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var position = 0
    skipBlanks(&position)
    if position < bytes.count, bytes[position] == UInt8(ascii: "@") {
      tags = word(&position, from: 1)
      skipBlanks(&position)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
      source = word(&position, from: 1)
      skipBlanks(&position)
    }
    verb = word(&position)
    parameters.reserveCapacity(4)
    while true {
      skipBlanks(&position)
      guard position < bytes.count else { return }
      if bytes[position] == UInt8(ascii: ":") {
        parameters.append(position + 1..<bytes.count)
        return
      }
      parameters.append(word(&position))
    }
  }

  private func skipBlanks(_ position: inout Int) {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }

  private func word(_ position: inout Int, from offset: Int = 0) -> Range<Int> {
    let start = position + offset
    while position < bytes.count, bytes[position] != UInt8(ascii: " ") { position += 1 }
    return start..<max(start, position)
  }

  // MARK: - Parts as bytes and text

  package subscript(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  package func text(_ range: Range<Int>) -> String { IRCText.decode(self[range]) }

  /// A parameter, counted from 0; empty where there is none.
  package func parameter(_ index: Int) -> String {
    parameters.indices.contains(index) ? text(parameters[index]) : ""
  }

  /// The parameter's bytes; empty where there is none.
  package func parameterBytes(_ index: Int) -> UnsafeRawBufferPointer {
    parameters.indices.contains(index)
      ? self[parameters[index]] : UnsafeRawBufferPointer(start: nil, count: 0)
  }

  package var lastParameter: String { parameter(parameters.count - 1) }

  package var verbText: String { text(verb) }

  /// Whether the verb is `name`, which is in capitals.
  package func isVerb(_ name: StaticString) -> Bool {
    let bytes = self[verb]
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      for index in 0..<name.count where bytes[index] & ~caseBit(bytes[index]) != name[index] {
        return false
      }
      return true
    }
  }

  private func caseBit(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? 0x20 : 0
  }

  /// The number of a reply (RFC 1459, section 6), of three digits; nil where
  /// the verb is none.
  package var number: Int? {
    guard verb.count == 3 else { return nil }
    var number = 0
    for byte in self[verb] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
