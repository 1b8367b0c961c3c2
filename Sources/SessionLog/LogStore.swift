internal import CPosix
internal import Executors
internal import Glibc

/// The session log: one SQLite file with everything that was said in a
/// session, what waits to be sent, drafts and read marks.
///
/// It owns the only connection of this process and runs on a thread of its
/// own, where waiting for a lock or a disk holds up nobody. Every method may
/// throw; none of them leaves the log half-written.
package actor LogStore {
  private let executor = QueueExecutor(label: "banter.log")
  /// A queue of its own, which may wait.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Where the file is, whether or not it is there yet.
  package nonisolated let path: String
  private var connection: Database?
  /// What was found on opening that its user should know, for ``takeNotices()``.
  private var notices: [LogNotice] = []
  let owners: OwnerLocks
  /// Rows of `profile` that are known, by room and profile id.
  var profileRows: [ProfileKey: ProfileRow] = [:]

  /// Sessions of this process that have not ended, by number.
  var ownSessions: [Int64: OwnSession] = [:]

  struct ProfileKey: Hashable {
    var room: Int64
    var profileID: String
  }

  struct ProfileRow {
    var id: Int64
    var name: String
    var lastSeen: Int64
  }

  /// - Parameter path: of the file, `log.db`; nothing is opened yet.
  package init(path: String) {
    self.path = path
    owners = OwnerLocks(path: path + ".owners")
  }

  /// What was noticed since the last time, such as a damaged file that was set
  /// aside.
  package func takeNotices() -> [LogNotice] {
    defer { notices = [] }
    return notices
  }

  /// Closes the file; the next call opens it again.
  package func close() {
    connection?.saveLostWAL()
    connection = nil
    profileRows = [:]
  }

  /// Opens the file for writing if it is not open, and runs `body` on it. A
  /// damaged file is set aside, and `body` runs once more on a new one.
  func write<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    let file = connection?.file ?? FileIdentity(path)
    do throws(LogError) {
      return try runWherePathLeads(body)
    } catch  where error.code == .damaged {
      close()
      try owners.exclusively { () throws(LogError) in try replace(file) }
      return try runWherePathLeads(body)
    }
  }

  /// Another process may set the file aside, or its user delete it, at any
  /// moment: what was written into a file that nobody will find is written
  /// once more.
  private func runWherePathLeads<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    if connection?.isLost == true { close() }
    let database = try opened()
    let result = try body(database)
    guard database.access == .writing, database.isLost else { return result }
    close()
    return try body(try opened())
  }

  /// Begins a new file in the place of a damaged one, and carries over into it
  /// what can be read.
  private func replace(_ damaged: FileIdentity?) throws(LogError) {
    // Somebody else may have done it since.
    guard damaged == FileIdentity(path) else { return }
    let salvage = try Salvage.setAside(path)
    notices.append(.setAside(path: path, as: salvage.path))
    let database = try Database(path, .writing)
    try prepare(database)
    notices.append(.carriedOver(messages: salvage.carryOver(into: database)))
    try restoreSessions(database)
    connection = database
  }

  /// The same in one transaction.
  func transaction<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    try write { database throws(LogError) in
      do throws(LogError) {
        return try database.transaction { () throws(LogError) in try body(database) }
      } catch {
        // Rows that were made in it are not there.
        profileRows = [:]
        throw error
      }
    }
  }

  /// Opens the file, as far as it can be, for reading.
  func read<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    if connection?.isLost == true { close() }
    if connection == nil {
      guard access(path, F_OK) == 0 || errno != ENOENT else {
        throw LogError(.notFound, reason: "\(path): there is no log yet; talk first")
      }
      connection = try Self.openForReading(path)
    }
    return try write(body)
  }

  private func opened() throws(LogError) -> Database {
    if let connection { return connection }
    posix_make_private_folder(folder)
    let database = try owners.together { () throws(LogError) in
      let database = try Database(path, .writing)
      try prepare(database)
      return database
    }
    try restoreSessions(database)
    connection = database
    return database
  }

  private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  private func prepare(_ database: Database) throws(LogError) {
    // Before anything in it is changed.
    try Schema.check(database)
    // A log on a network file system must not share memory between machines
    // (sqlite.org/wal.html).
    try database.setJournal(isShared: posix_is_on_network(folder))
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
    try Schema.migrate(database)
  }

  /// - Returns: nil when the file can be opened for writing.
  private static func openForReading(_ path: String) throws(LogError) -> Database? {
    guard access(path, W_OK) != 0 else { return nil }
    do throws(LogError) {
      let database = try Database(path, .reading)
      try Schema.check(database)
      return database
    } catch  where error.code == .denied {
      // What nobody has closed is in the journal, which cannot be read in place
      // where nothing can be written beside it (sqlite.org/wal.html#readonly).
      let database =
        FileIdentity.hasJournal(path)
        ? try Database(copyOf: path) : try Database(path, .immutable)
      try Schema.check(database)
      return database
    }
  }
}

/// Something about the log that its user should know.
package enum LogNotice: Hashable, Sendable {
  /// The file was damaged and has another name now.
  case setAside(path: String, as: String)
  /// So many messages could be read from it, and are in the new one.
  case carriedOver(messages: Int)
}
