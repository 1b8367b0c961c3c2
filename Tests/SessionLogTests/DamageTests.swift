import ChatModel
import Glibc
import Testing

@testable import SessionLog

struct DamageTests {
  /// A closed log with messages in two rooms, waiting events and a draft.
  private func filled(_ count: Int = 400) async throws -> Log {
    let log = Log()
    let session = try await log.begin()
    let events = (0..<count).map {
      Event.said("message \($0) " + String(repeating: "x", count: 100), id: "\($0)", at: Int64($0))
    }
    try await log.store.record(events, cursor: "c", in: session, at: .noon)
    try await log.record(.said("of the team", id: "t"), in: .team)
    try await log.store.keep(
      [.said("waits 1", id: "w1"), .said("waits 2", id: "w2")], in: .team, owner: nil)
    try await log.index()
    await log.store.close()
    return log
  }

  /// Looks whether the store has set the file aside, told so, and goes on.
  private func expectReplaced(
    _ log: Log, messages: ClosedRange<Int>, waiting: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let session = try await log.begin()
    try await log.store.record([.said("new", id: "new")], cursor: nil, in: session, at: .noon)
    let count = try await log.messages().count
    #expect(messages.contains(count - 1), sourceLocation: sourceLocation)
    let notices = await log.store.takeNotices()
    #expect(
      notices == [
        .setAside(path: log.store.path, as: log.store.path + ".damaged-1"),
        .carriedOver(messages: count - 1),
      ], sourceLocation: sourceLocation)
    #expect(
      try await log.store.waitingEvents().map(\.event.id) == waiting,
      sourceLocation: sourceLocation)
    try await log.index()
    #expect(try await log.find("new") == ["new"], sourceLocation: sourceLocation)
    #expect(try await log.store.check().problems.isEmpty, sourceLocation: sourceLocation)
    #expect(log.names.contains("log.db.damaged-1"), sourceLocation: sourceLocation)
    #expect(!log.names.contains { $0.hasSuffix("copy") }, sourceLocation: sourceLocation)
  }

  @Test(arguments: [0, 4_096]) func `a first page of zeros costs nothing that lies behind it`(
    from start: Int
  ) async throws {
    let log = try await filled()
    log.change { bytes in
      for index in 0..<4_096 { bytes[index] = start == 0 ? 0 : UInt8.random(in: 0...255) }
    }
    try await expectReplaced(log, messages: 401...401, waiting: ["w1", "w2"])
    #expect(try await log.find("in:team waits") == [])
    #expect(try await log.find("in:team of") == ["of the team"])
    #expect(try await log.find("from:jane \"399 x\"").count == 1)
  }

  @Test(arguments: [1, 100, 4_095, 5_000, 120_000])
  func `a truncated file is replaced, and what is left of it carried over`(
    size: Int
  ) async throws {
    let log = try await filled()
    log.change { $0.removeLast($0.count - size) }
    try await expectReplaced(
      log, messages: 0...400, waiting: size == 120_000 ? ["w1", "w2"] : [])
  }

  @Test func `a file that is no database is set aside as it was`() async throws {
    let log = Log()
    let text = Array(String(repeating: "It was a dark and stormy night.\n", count: 1_000).utf8)
    log.change { $0 = text }
    try await expectReplaced(log, messages: 0...0, waiting: [])
    log.change("log.db.damaged-1") { #expect($0 == text) }
  }

  @Test(arguments: [0, 1]) func `a database of another program is set aside as it was`(
    version: Int
  ) async throws {
    let log = Log()
    _ = try log.ask("CREATE TABLE message (id INTEGER PRIMARY KEY, text)")
    _ = try log.ask("INSERT INTO message VALUES (1, 'not said in a room')")
    _ = try log.ask("PRAGMA user_version = \(version)")
    try await expectReplaced(log, messages: 0...0, waiting: [])
    let other = try Database(log.store.path + ".damaged-1", .reading)
    #expect(try other.rows("SELECT name FROM sqlite_schema") { $0.text(0) } == ["message"])
  }

  @Test func `of a link to a damaged file only the link is set aside`() async throws {
    let log = try await filled()
    let elsewhere = log.folder + "/elsewhere"
    rename(log.store.path, elsewhere)
    symlink(elsewhere, log.store.path)
    log.change { bytes in for index in 0..<4_096 { bytes[index] = 0 } }
    try await expectReplaced(log, messages: 401...401, waiting: ["w1", "w2"])
    #expect(log.names.contains("elsewhere") && !log.names.contains("elsewhere.damaged-1"))
  }

  @Test func `a log without one of its tables is replaced, and the others carried over`()
    async throws
  {
    let log = try await filled()
    _ = try log.ask("DROP TABLE message")
    try await expectReplaced(log, messages: 0...0, waiting: ["w1", "w2"])
  }

  @Test func `an empty file becomes a log`() async throws {
    let log = Log()
    log.change { $0 = [] }
    try await log.record(.said("hello", id: "1"))
    #expect(try await log.messages().count == 1)
    #expect(await log.store.takeNotices().isEmpty)
  }

  @Test func `a folder in the file's place is set aside`() async throws {
    let log = Log()
    mkdir(log.store.path, 0o700)
    try await expectReplaced(log, messages: 0...0, waiting: [])
  }

  @Test func `a pipe in the file's place is set aside`() async throws {
    let log = Log()
    mkfifo(log.store.path, 0o600)
    try await expectReplaced(log, messages: 0...0, waiting: [])
  }

  /// Overwrites one page after the other, each in a log of its own, with the
  /// program at rest, and while it has the file open.
  @Test(arguments: [false, true])
  func `no single damaged page costs more than a few messages, none the outbox but its own`(
    isOpen: Bool
  ) async throws {
    let pages = try await pageOwners()
    var lost = 0
    for (page, owner) in pages
    where isOpen ? page.isMultiple(of: 5) : page < 25 || page.isMultiple(of: 4) {
      let log = try await filled()
      if isOpen { _ = try await log.find("message", limit: 1) }
      log.changeInPlace(at: (page - 1) * 4_096, [UInt8](repeating: 0xa5, count: 4_096))
      // Whether it is noticed at once or only by a look at everything.
      let session = try await log.begin()
      try await log.store.record([.said("new", id: "new")], cursor: nil, in: session, at: .noon)
      let messages = try await log.messages()
      _ = try await log.find("message 7 x", limit: 1_000)
      try await log.index()
      let waiting = try await log.store.waitingEvents().map(\.event.id)
      #expect(messages.contains { $0.entry.id == "new" }, "\(page), \(owner)")
      #expect(messages.count >= 340 || owner == "message", "\(page), \(owner): \(messages.count)")
      #expect(waiting == ["w1", "w2"] || owner == "outbox", "\(page), \(owner)")
      lost += 402 - messages.count
      try await log.store.record([.said("newer", id: "newer")], cursor: nil, in: session, at: .noon)
      #expect(try await log.find("newer").count == 1, "\(page), \(owner)")
    }
    #expect(lost < 402 * 4)
  }

  /// The tables or indexes that the pages of a filled log belong to, by number.
  private func pageOwners() async throws -> [(page: Int, owner: String)] {
    let log = try await filled()
    let roots = try log.ask(
      "SELECT rootpage || ' ' || name FROM sqlite_schema WHERE rootpage > 0 ORDER BY rootpage")
    let owners = roots.map { $0.split(separator: " ").map(String.init) }
    let count = Int(try log.ask("PRAGMA page_count")[0]) ?? 0
    return (2...count).map { page in
      (page, owners.first { Int($0[0]) == page }?[1] ?? "later")
    }
  }

  @Test func `what lies between two damaged places is carried over`() async throws {
    let log = try await filled(2_000)
    let leaves = try log.leaves(of: "message")
    #expect(leaves.count > 40)
    for leaf in [leaves[10], leaves[20], leaves[21], leaves[39]] {
      log.changeInPlace(at: (leaf - 1) * 4_096, [UInt8](repeating: 0, count: 4_096))
    }
    #expect((1_800..<1_990).contains(try await log.messages().count))
    #expect(try await log.store.waitingEvents().count == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `rows whose numbers go back before a damaged place do not end in a circle`() async throws {
    let log = try await filled(2_000)
    let leaves = try log.leaves(of: "message")
    log.change { bytes in
      let early = bytes[(leaves[5] - 1) * 4_096..<leaves[5] * 4_096]
      bytes.replaceSubrange((leaves[23] - 1) * 4_096..<leaves[23] * 4_096, with: early)
      let zeros = [UInt8](repeating: 0, count: 4_096)
      bytes.replaceSubrange((leaves[24] - 1) * 4_096..<leaves[24] * 4_096, with: zeros)
    }
    #expect((1_850..<1_990).contains(try await log.messages().count))
    #expect(try await log.store.waitingEvents().count == 2)
  }

  @Test func `messages whose author or room is lost are still found`() async throws {
    let log = try await filled()
    for table in ["room", "profile", "session"] {
      let page = Int(try log.ask("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0])
      log.changeInPlace(at: ((page ?? 0) - 1) * 4_096, [UInt8](repeating: 0, count: 4_096))
    }
    let session = try await log.begin()
    try await log.store.record([.said("new", id: "new")], cursor: nil, in: session, at: .noon)
    #expect(try await log.messages().count == 402)
    #expect(try await log.find("\"message 17 \"").count == 1)
    #expect(try await log.store.waitingEvents().count == 2)
  }

  // MARK: - Journals

  /// A log as kill -9 leaves it: the newest is in the journal only.
  private func killed() async throws -> Log {
    let log = Log()
    try await log.record(.said("old", id: "1"))
    await log.store.close()
    let session = try await log.begin()
    try await log.store.keep([.said("waits", id: "w")], in: .lobby, owner: session)
    var copies: [String: [UInt8]] = [:]
    for name in ["log.db", "log.db-wal"] { log.change(name) { copies[name] = $0 } }
    await log.store.end(session)
    for (name, bytes) in copies { log.change(name) { $0 = bytes } }
    return log
  }

  @Test func `what is only in the journal is there at the next start`() async throws {
    let log = try await killed()
    #expect(try await log.store.claim(in: .lobby, as: 1 << 41).count == 1)
    #expect(try await log.messages().count == 1)
  }

  @Test func `without its journal a log is what it was before`() async throws {
    let log = try await killed()
    unlink(log.store.path + "-wal")
    #expect(try await log.messages().count == 1)
    #expect(try await log.begin() > 0)
  }

  @Test(arguments: [0, 100]) func `of a file that lost its content the journal is carried over`(
    size: Int
  ) async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.keep([.said("waits", id: "w")], in: .lobby, owner: session)
    var wal: [UInt8] = []
    log.change("log.db-wal") { wal = $0 }
    await log.store.end(session)
    log.change { $0 = [UInt8](repeating: 0, count: size) }
    log.change("log.db-wal") { $0 = wal }
    try await expectReplaced(log, messages: 0...0, waiting: ["w"])
  }

  @Test func `a torn journal is read as far as it is whole`() async throws {
    let log = try await killed()
    log.change("log.db-wal") { $0.removeLast(2_000) }
    #expect(try await log.messages().count == 1)
    log.change("log.db-wal") { $0 = Array("nonsense".utf8) }
    #expect(try await log.messages().count == 1)
  }

  // MARK: - Changes while the file is open

  @Test func `a journal that is deleted while the log is open costs nothing`() async throws {
    let log = try await filled()
    let session = try await log.begin()
    try await log.store.record([.said("a", id: "a")], cursor: nil, in: session, at: .noon)
    unlink(log.store.path + "-wal")
    try await log.store.record([.said("b", id: "b")], cursor: nil, in: session, at: .noon)
    try await log.store.keep([.said("w", id: "w3")], in: .lobby, owner: session)
    let other = log.another()
    #expect(try await other.messages(in: LogRange(), limit: 1_000).count == 403)
    #expect(try await other.waitingEvents().count == 3)
  }

  @Test func `a log that is deleted while it is open is begun anew`() async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.record([.said("a", id: "a")], cursor: nil, in: session, at: .noon)
    for suffix in ["", "-wal", "-shm"] { unlink(log.store.path + suffix) }
    try await log.store.record([.said("b", id: "b")], cursor: nil, in: session, at: .noon)
    try await log.store.keepDraft("draft", of: session)
    #expect(try await log.another().messages(in: LogRange(), limit: 9).map(\.entry.id) == ["b"])
    // The number of a session that is alive is not given again.
    let other = try await log.another().begin(in: .team)
    #expect(other.session != session)
  }

  @Test func `of two who see the damage one replaces the file, and both go on in the new one`()
    async throws
  {
    let log = try await filled()
    let other = log.another()
    let (first, second) = (try await log.begin(), try await other.begin(in: .team).session)
    _ = try log.ask("PRAGMA wal_checkpoint(TRUNCATE)")
    log.changeInPlace(at: 0, [UInt8](repeating: 0, count: 4_096))
    // Who has the file open may not notice; who opens it does.
    await log.store.close()
    async let one: Void = log.store.record([.said("a", id: "a")], cursor: nil, in: first, at: .noon)
    async let two: Void = other.record([.said("b", id: "b")], cursor: nil, in: second, at: .noon)
    _ = try await (one, two)
    try await other.record([.said("c", id: "c")], cursor: nil, in: second, at: .noon)
    let messages = try await log.another().messages(in: LogRange(), limit: 1_000)
    #expect(Set(["a", "b", "c"]).isSubset(of: messages.map(\.entry.id)))
    #expect(messages.last { $0.entry.id == "b" }?.room == .team)
    #expect(try await log.store.waitingEvents().map(\.event.id) == ["w1", "w2"])
    #expect(log.names.contains("log.db.damaged-1") && !log.names.contains("log.db.damaged-2"))
  }

  @Test func `damaged files never take each other's names`() async throws {
    let log = Log()
    for number in 1...3 {
      log.change { $0 = Array("nonsense \(number)".utf8) }
      _ = try await log.begin()
      await log.store.close()
      #expect(log.names.contains("log.db.damaged-\(number)"))
      log.change("log.db.damaged-\(number)") { #expect($0 == Array("nonsense \(number)".utf8)) }
    }
  }
}

extension Log {
  /// Overwrites bytes of the file without closing anything that is open.
  func changeInPlace(at offset: Int, _ bytes: [UInt8]) {
    let script = """
      dd of='\(store.path)' bs=4096 seek=\(offset / 4_096) conv=notrunc 2>/dev/null
      """
    let stream = popen(script, "w")
    _ = fwrite(bytes, 1, bytes.count, stream)
    pclose(stream)
  }

  /// The pages on which the rows of a table lie, in their order, from the
  /// interior page that is its root (sqlite.org/fileformat2.html, 1.6).
  func leaves(of table: String) throws -> [Int] {
    let root = Int(try ask("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0]) ?? 0
    var leaves: [Int] = []
    change { file in
      let page = Array(file[(root - 1) * 4_096..<root * 4_096])
      guard page[0] == 5 else { return }
      let count = Int(page[3]) << 8 | Int(page[4])
      for cell in 0..<count {
        let place = Int(page[12 + cell * 2]) << 8 | Int(page[13 + cell * 2])
        leaves.append(page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) })
      }
    }
    return leaves
  }
}
