import ChatModel
import Glibc
@_exported public import TestSupport

/// Home, folders and environment of somebody who chats; others see nothing of
/// it. The room that is spoken of is `lobby` where no other is named.
final class World: Sendable {
  let folder = TemporaryFolder()
  /// What programs get as their environment, and nothing else.
  let environment: [String: String]

  /// - Parameter changes: variables that differ; an empty value takes one away.
  init(_ changes: [String: String] = [:], settings: String? = nil) {
    let path = folder.path
    var variables = [
      "HOME": path, "XDG_CONFIG_HOME": "\(path)/config", "XDG_DATA_HOME": "\(path)/data",
      "XDG_STATE_HOME": "\(path)/state", "XDG_CACHE_HOME": "\(path)/cache",
      "XDG_RUNTIME_DIR": path, "TZ": "UTC", "LANG": "C.UTF-8", "TERM": "tmux-256color",
      "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "PS1": "sh> ",
      "INPUTRC": "/dev/null", "HISTFILE": "/dev/null",
    ]
    variables.merge(changes) { $1 }
    environment = variables.filter { !$0.value.isEmpty }
    for name in ["config/banter", "data/banter/rooms", "state"] {
      var made = path
      for part in name.split(separator: "/") {
        made += "/\(part)"
        mkdir(made, 0o700)
      }
    }
    if let settings { folder.write("config/banter/config.json", settings) }
  }

  /// The file of a room.
  func path(of room: String = "lobby") -> String { "\(folder.path)/\(file(of: room))" }

  private func file(of room: String) -> String { "data/banter/rooms/\(room).jsonl" }

  /// Appends text to a room's file, as another program does.
  func append(_ text: String, to room: String = "lobby") {
    folder.write(file(of: room), text, appending: true)
  }

  func append(bytes: [UInt8], to room: String = "lobby") {
    folder.write(file(of: room), bytes, appending: true)
  }

  /// Lets somebody say something.
  func say(
    _ content: String, id: String? = nil, by name: String = "Jane",
    at time: String = "2025-11-30T08:16:00Z", to room: String = "lobby"
  ) {
    append(
      line([
        "messageID": id ?? content, "profileID": name, "profileName": name, "content": content,
        "createdAt": time,
      ]), to: room)
  }

  /// A line of a room file with these fields.
  func line(_ fields: [String: String]) -> String {
    let pairs = fields.sorted { $0.key < $1.key }.map { "\(json($0.key)):\(json($0.value))" }
    return "{\(pairs.joined(separator: ","))}\n"
  }

  /// The contents of a room's messages, in the order of the file.
  func contents(of room: String = "lobby") -> [String] {
    messages(of: room).compactMap(\.content)
  }

  /// A room's messages, in the order of the file.
  func messages(of room: String = "lobby") -> [Message] {
    events(of: room).compactMap { event in
      guard case .message(let message) = event else { return nil }
      return message
    }
  }

  /// What stands in a room's file.
  func events(of room: String = "lobby") -> [Event] {
    let bytes = folder.read(file(of: room)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      (try? EventCodec.decode(String(decoding: line, as: UTF8.self))) ?? nil
    }
  }

  /// A command with this environment only; `$banter` stands for the program.
  /// - Parameter kept: names of variables that are handed on.
  func command(_ script: String, keeping kept: [String] = []) -> String {
    let variables =
      environment.map { "\($0.key)=\(quoted($0.value))" }.sorted()
      + kept.map { "\($0)=\"$\($0)\"" }
    return "env -i \(variables.joined(separator: " ")) banter=\(quoted(Program.banter)) "
      + "bash --norc --noprofile -c \(quoted("cd; " + script))"
  }

  /// Runs a script in this environment, in its home.
  func run(_ script: String, seconds: Int = 60) async -> Outcome {
    await Program.run(command(script), seconds: seconds)
  }
}

/// A text as JSON, every scalar that is not plain as `\u`.
func json(_ text: String) -> String {
  let units = text.utf16.map { unit in
    let isPlain = (0x20..<0x7F).contains(unit) && unit != 0x22 && unit != 0x5C
    let digits = String(unit, radix: 16)
    return isPlain
      ? String(UnicodeScalar(UInt8(unit)))
      : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
  return "\"\(units.joined())\""
}
