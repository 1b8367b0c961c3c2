/// Writes the members of one JSON object (RFC 8259) on one line. What is nil is
/// left out.
package struct JSONObjectWriter {
  private var buffer: [UInt8] = []
  private var isEmpty = true

  /// Takes the buffer away from its owner, who gets it back at the end: of two
  /// who hold it, the first to write would copy it.
  package init(taking buffer: inout [UInt8]) {
    swap(&self.buffer, &buffer)
    self.buffer.append(UInt8(ascii: "{"))
  }

  package mutating func end(givingBack buffer: inout [UInt8]) {
    self.buffer.append(UInt8(ascii: "}"))
    swap(&self.buffer, &buffer)
  }

  /// Begins a member; `quoted` is its name in quotes and with the colon.
  mutating func begin(quoted: [UInt8]) {
    comma()
    buffer.append(contentsOf: quoted)
  }

  /// Begins a member whose name stands for itself in JSON.
  private mutating func begin(_ name: StaticString) {
    comma()
    buffer.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { buffer.append(contentsOf: $0) }
    buffer.append(UInt8(ascii: "\""))
    buffer.append(UInt8(ascii: ":"))
  }

  private mutating func comma() {
    if !isEmpty { buffer.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  /// Writes the value of the member that was begun.
  mutating func value(_ append: (inout [UInt8]) -> Void) {
    append(&buffer)
  }

  package mutating func string(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    begin(name)
    JSONText.append(value, to: &buffer)
  }

  package mutating func integer(_ name: StaticString, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    begin(name)
    buffer.append(contentsOf: String(value).utf8)
  }

  /// False is left out, as what is not said is false.
  package mutating func flag(_ name: StaticString, _ value: Bool) {
    if value { bool(name, true) }
  }

  package mutating func bool(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    begin(name)
    buffer.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// A member whose value `append` writes as JSON.
  package mutating func member(_ name: StaticString, _ append: (inout [UInt8]) -> Void) {
    begin(name)
    append(&buffer)
  }

  package mutating func object(
    _ name: StaticString, _ write: (inout JSONObjectWriter) -> Void
  ) {
    member(name) { JSONObjectWriter.append(to: &$0, write) }
  }

  package mutating func list<Element>(
    _ name: StaticString, _ values: [Element], _ append: (Element, inout [UInt8]) -> Void
  ) {
    begin(name)
    Self.append(values, to: &buffer, append)
  }

  /// Writes a member whose name is not known beforehand.
  package mutating func text(named name: String, _ value: String) {
    comma()
    JSONText.append(name, to: &buffer)
    buffer.append(UInt8(ascii: ":"))
    JSONText.append(value, to: &buffer)
  }

  /// Appends a list whose elements `append` writes as JSON.
  package static func append<Element>(
    _ values: [Element], to buffer: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    buffer.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(value, &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  /// Appends one object.
  package static func append(
    to buffer: inout [UInt8], _ write: (inout JSONObjectWriter) -> Void
  ) {
    var object = JSONObjectWriter(taking: &buffer)
    write(&object)
    object.end(givingBack: &buffer)
  }
}
