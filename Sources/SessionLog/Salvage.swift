internal import Glibc

/// A damaged log under another name, and what can be read from it.
struct Salvage {
  /// Where it is now.
  let path: String

  /// Gives the file at `path`, and what belongs to it, a name that is free.
  static func setAside(_ path: String) throws(LogError) -> Salvage {
    for number in 1... {
      let other = "\(path).damaged-\(number)"
      guard access(other, F_OK) != 0 else { continue }
      guard rename(path, other) == 0 else {
        throw LogError(
          .denied,
          reason: "\(path): is damaged and cannot be renamed: \(String(cString: strerror(errno)))")
      }
      // Without its journal SQLite would not find the newest rows again, and
      // whoever has the file open shares memory by that name.
      for suffix in ["-wal", "-shm", "-journal"] { rename(path + suffix, other + suffix) }
      return Salvage(path: other)
    }
    preconditionFailure("numbers do not end")
  }

  /// What waits to be sent and where it goes first, then messages.
  private static let tables = [
    "room", "outbox", "network_id", "session", "profile", "message", "change",
  ]

  /// Copies the rows that can be read into a new log.
  /// - Returns: the number of messages.
  func carryOver(into database: Database) -> Int {
    let copy = path + ".copy"
    defer { for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) } }
    guard let old = readable() ?? rebuilt(as: copy) else { return 0 }
    for table in Self.tables {
      // Anything but damage, such as a full disk, ends this; what was copied
      // by then counts.
      do throws(LogError) {
        try TableCopy(table, from: old, into: database)?.run()
      } catch {
        break
      }
    }
    try? complete(database)
    let count = try? database.first("SELECT count(*) FROM message") { Int($0.integer(0)) }
    return count.flatMap(\.self) ?? 0
  }

  /// The file, when it tells which tables it has.
  private func readable() -> Database? {
    // Of an empty file SQLite would remove the journal.
    guard let size = FileIdentity.size(of: path) ?? nil, size >= Self.pageSize,
      let old = try? Database(path, .writing), Self.hasTables(old)
    else { return nil }
    return old
  }

  private static func hasTables(_ database: Database) -> Bool {
    let count = try? database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
    return count.flatMap(\.self) ?? 0 > 0
  }

  // MARK: - The list of tables

  /// The default of SQLite, which a log has.
  private static let pageSize = 4_096

  /// A copy that has its list of tables from a new log: in every log they begin
  /// in the same places.
  private func rebuilt(as copy: String) -> Database? {
    guard let size = FileIdentity.size(of: path) ?? nil, copyFile(path, to: copy) else {
      return nil
    }
    let journal = FileIdentity.journal(of: path)
    if access(journal, F_OK) == 0 { _ = copyFile(journal, to: copy + "-wal") }
    let file = open(copy, O_WRONLY | O_CLOEXEC)
    for (number, page) in Self.schemaPages(sizeInPages: size / Self.pageSize) {
      pwrite(file, page, page.count, (number - 1) * Self.pageSize)
    }
    close(file)
    guard let old = try? Database(copy, .writing), Self.hasTables(old) else { return nil }
    return old
  }

  /// The pages of the table sqlite_schema in a new log, by number: the first,
  /// and those that it refers to (sqlite.org/fileformat2.html, 1.3 and 1.6).
  private static func schemaPages(sizeInPages: Int) -> [(number: Int, page: [UInt8])] {
    guard let database = try? Database("", .memory), (try? Schema.begin(database)) != nil
    else { return [] }
    let bytes = database.bytes
    func number(at offset: Int, size: Int) -> Int {
      bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count >= pageSize else { return [] }
    var first = Array(bytes[..<pageSize])
    // It is one that has a journal beside it, and not as short as this one.
    first.replaceSubrange(18..<20, with: [2, 2])
    let count = UInt32(clamping: max(1, sizeInPages)).bigEndian
    withUnsafeBytes(of: count) { first.replaceSubrange(28..<32, with: $0) }
    var pages = [(number: 1, page: first)]
    let (header, isInterior) = (100, bytes[100] == 5)
    guard isInterior else { return pages }
    let cells = (0..<number(at: header + 3, size: 2)).map { cell in
      number(at: header + 12 + cell * 2, size: 2)
    }
    for place in cells + [header + 8] {
      let page = number(at: place, size: 4)
      pages.append((page, Array(bytes[(page - 1) * pageSize..<page * pageSize])))
    }
    return pages
  }

  // MARK: - What is missing

  /// Stands in for the rooms and profiles that could not be read, without which
  /// nothing that refers to them would be found.
  private func complete(_ database: Database) throws(LogError) {
    try database.transaction { () throws(LogError) in
      try database.execute(
        """
        INSERT INTO room (id, address, name)
          SELECT id, 'lost:' || id, 'lost-' || id FROM
            (SELECT room AS id FROM message UNION SELECT room FROM outbox)
          WHERE id NOT IN (SELECT id FROM room);
        INSERT INTO profile (id, room, profile_id, first_seen, last_seen)
          SELECT author, room, 'lost-' || author, min(time), max(time) FROM message
          WHERE author NOT IN (SELECT id FROM profile) GROUP BY author;
        UPDATE message SET details = NULL WHERE NOT json_valid(details);
        """)
      try TextIndex(database).clear()
    }
  }
}
