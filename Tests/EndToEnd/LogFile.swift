import TestSupport

/// The session log of a world, as other programs see it.
extension World {
  var log: String { "\(folder.path)/state/banter/log.db" }

  /// The rows of a query by sqlite3(1), in its `list` mode.
  func ask(_ sql: String) async -> [String] {
    await run("sqlite3 -cmd '.timeout 5000' \(quoted(log)) \(quoted(sql))").lines
  }

  /// The contents of the messages in the log, in the order of time.
  func logged(in room: String = "lobby") async -> [String] {
    await ask("SELECT content FROM messages WHERE room = '\(room)'")
  }

  /// The contents of the messages that wait to be sent.
  func waiting() async -> [String] {
    await ask("SELECT json_extract(event, '$.content') FROM outbox ORDER BY id")
  }

  /// A command during which no byte gets into the room.
  func refusing(_ command: String, room: String = "lobby") -> String {
    "strace -f -qq -o /dev/null -P \(path(of: room)) "
      + "--inject=pwrite64,write,writev,fdatasync:error=ENOSPC \(command)"
  }
}
