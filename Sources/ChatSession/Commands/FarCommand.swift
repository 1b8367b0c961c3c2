internal import TerminalText
internal import Transport

/// A command that a room's far side understands, as one may type it.
struct FarCommand: Equatable {
  let name: String
  let usage: String
  let help: String

  /// As many as anybody will look through.
  static let limit = 200

  /// Nil where it cannot be typed: a name has letters, digits, `-` and `_`.
  /// Neither has one that Banter itself has: that wins.
  init?(_ command: RoomCommand) {
    let name = command.name
    guard (1...32).contains(name.utf8.count),
      name.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x2d
          || byte == 0x5f
      }), Command.named(name) == nil
    else { return nil }
    self.name = name
    usage = neutralized(String(command.arguments.prefix(100)))
    help = neutralized(String(command.help.prefix(300)))
  }

  var synopsis: String { "/\(name) \(usage)".trimmed }
}
