import ChatModel
import Glibc
import Testing

@testable import SessionLog

struct SchemaTests {
  @Test func `a new log has the newest version, and is for its owner only`() async throws {
    let log = Log()
    _ = try await log.begin()
    #expect(try log.ask("PRAGMA user_version") == ["\(Schema.version)"])
    #expect(try log.ask("PRAGMA journal_mode") == ["wal"])
    for name in log.names {
      var status = stat()
      stat("\(log.folder)/\(name)", &status)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `a log of a newer Banter is refused and left as it is`() async throws {
    let log = Log()
    try await log.record(.said("hello", id: "1"))
    await log.store.close()
    _ = try log.ask("PRAGMA user_version = 99")
    for _ in 0..<2 {
      var error = await #expect(throws: LogError.self) { try await log.begin() }
      #expect(error?.code == .newer)
      #expect(error?.reason.contains("newer Banter") == true)
      error = await #expect(throws: LogError.self) { try await log.find("hello") }
      #expect(error?.code == .newer)
    }
    #expect(!log.names.contains { $0.contains("damaged") })
    _ = try log.ask("PRAGMA user_version = \(Schema.version)")
    #expect(try await log.find("hello") == ["hello"])
  }

  @Test func `the views show what was said to whoever opens the file with sqlite3`() async throws {
    let log = Log()
    try await log.record(
      .said("it's \"so\"\nlong", id: "1"), .edit("2", of: "1", to: "shorter"),
      .message(Message(id: "3", profileID: "kim", content: "see", images: ["a.png"])),
      .profile(ProfileChange(eventID: "4", profileID: "kim", profileName: "민수")),
      .said("gone", id: "5"), .deletion("6", of: "5"))
    func ask(_ sql: String) throws -> String {
      let stream = popen("sqlite3 -readonly '\(log.store.path)' \"\(sql)\" 2>&1", "r")
      defer { pclose(stream) }
      var bytes = [UInt8](repeating: 0, count: 10_000)
      let count = fread(&bytes, 1, bytes.count, stream)
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
    #expect(
      try ask("SELECT room, name, content, state, images FROM messages ORDER BY number")
        == """
        lobby|Jane|shorter|edited|
        lobby|민수|see||["a.png"]
        lobby|Jane||deleted|

        """)
    #expect(try ask("SELECT number, room, name, messages FROM sessions") == "1|lobby|Kim|1\n")
    #expect(
      try ask("SELECT profile_id, name, room FROM profiles ORDER BY 1")
        == "jane|Jane|lobby\nkim|민수|lobby\n")
  }
}
