/// A line to a server. Whatever its parts hold, it is one line: carriage
/// returns, newlines and NULs become blanks.
package struct OutgoingLine: Equatable, Sendable {
  /// In the order in which they are written.
  package var tags: [(name: String, value: String)] = []
  /// Servers make it themselves; for tests.
  package var source: String?
  package var verb: String
  package var parameters: [String]
  /// Whether the last parameter has a colon though it needs none.
  package var hasTrailing = false

  package init(_ verb: String, _ parameters: String..., trailing: String? = nil) {
    self.init(verb, parameters, trailing: trailing)
  }

  package init(_ verb: String, _ parameters: [String], trailing: String? = nil) {
    self.verb = verb
    self.parameters = parameters + (trailing.map { [$0] } ?? [])
    hasTrailing = trailing != nil
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.bytes == other.bytes
  }

  /// Without the end of the line.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the line without its end.
  package func append(to bytes: inout [UInt8]) {
    if !tags.isEmpty {
      bytes.append(UInt8(ascii: "@"))
      for (index, tag) in tags.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ";")) }
        bytes.append(contentsOf: tag.name.utf8)
        if tag.value.isEmpty { continue }
        bytes.append(UInt8(ascii: "="))
        Self.appendEscaped(tag.value, to: &bytes)
      }
      bytes.append(UInt8(ascii: " "))
    }
    if let source { bytes.append(contentsOf: ":\(source) ".utf8) }
    Self.appendSafe(verb, to: &bytes)
    for (index, parameter) in parameters.enumerated() {
      bytes.append(UInt8(ascii: " "))
      if index == parameters.count - 1, hasTrailing || Self.needsColon(parameter) {
        bytes.append(UInt8(ascii: ":"))
      }
      Self.appendSafe(parameter, to: &bytes)
    }
  }

  private static func needsColon(_ parameter: String) -> Bool {
    parameter.isEmpty || parameter.utf8.first == UInt8(ascii: ":")
      || parameter.utf8.contains(UInt8(ascii: " "))
  }

  private static func appendSafe(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      bytes.append(byte == 0x0d || byte == 0x0a || byte == 0 ? UInt8(ascii: " ") : byte)
    }
  }

  private static func appendEscaped(_ value: String, to bytes: inout [UInt8]) {
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: ";"): bytes.append(contentsOf: #"\:"#.utf8)
      case UInt8(ascii: " "): bytes.append(contentsOf: #"\s"#.utf8)
      case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
      case 0: break
      default: bytes.append(byte)
      }
    }
  }
}
