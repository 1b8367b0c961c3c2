/// What is between two bytes 1 in a message: a request to the other program,
/// or an action (CTCP).
package struct ClientToClient: Equatable, Sendable {
  /// In capitals, such as `ACTION`.
  package var command: String
  package var argument: String

  /// Nil for what people say.
  package init?(_ text: String) {
    guard text.utf8.first == 1 else { return nil }
    // The one at the end is missing where a server has cut the line.
    let inner = text.utf8.dropFirst()
    let body = inner.last == 1 ? inner.dropLast() : inner
    let end = body.firstIndex(of: UInt8(ascii: " ")) ?? body.endIndex
    command = String(Substring(body[..<end])).uppercased()
    argument = String(Substring(body[end...].dropFirst()))
  }

  package init(_ command: String, _ argument: String) {
    (self.command, self.argument) = (command, argument)
  }

  /// As it is sent.
  package var text: String {
    argument.isEmpty ? "\u{1}\(command)\u{1}" : "\u{1}\(command) \(argument)\u{1}"
  }
}
