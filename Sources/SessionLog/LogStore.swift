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
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package nonisolated let path: String
  private var connection: Database?
  /// What was found on opening that its user should know, for ``takeNotices()``.
  private var notices: [LogNotice] = []
  let owners: OwnerLocks
  /// Rows of `profile` that are known, by room and profile id.
  var profileRows: [ProfileKey: ProfileRow] = [:]

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
    connection = nil
    profileRows = [:]
  }

  /// Opens the file for writing if it is not open, and runs `body` on it. A
  /// damaged file is set aside, and `body` runs once more on a new one.
  func write<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    do throws(LogError) {
      return try body(try opened())
    } catch  where error.code == .damaged {
      connection = nil
      profileRows = [:]
      let salvage = try Salvage.setAside(path)
      notices.append(.setAside(path: path, as: salvage.path))
      let database = try opened()
      let count = salvage.carryOver(into: database)
      notices.append(.carriedOver(messages: count))
      return try body(database)
    }
  }

  /// The same in one transaction.
  func transaction<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    try write { database throws(LogError) in
      try database.transaction { () throws(LogError) in try body(database) }
    }
  }

  /// Opens the file, as far as it can be, for reading.
  func read<Result>(
    _ body: (Database) throws(LogError) -> Result
  ) throws(LogError) -> Result {
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
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    posix_make_private_folder(folder)
    let database = try Database(path, .writing)
    // A log on a network file system must not share memory between machines
    // (sqlite.org/wal.html).
    let mode = posix_is_on_network(folder) ? "DELETE" : "WAL"
    try database.execute(
      "PRAGMA journal_mode = \(mode); PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY")
    try Schema.migrate(database)
    connection = database
    return database
  }

  /// - Returns: nil when the file can be opened for writing.
  private static func openForReading(_ path: String) throws(LogError) -> Database? {
    guard access(path, W_OK) != 0 else { return nil }
    do throws(LogError) {
      let database = try Database(path, .reading)
      _ = try database.first("SELECT indexed_to FROM search_state") { $0.integer(0) }
      return database
    } catch  where error.code == .denied {
      return try Database(path, .immutable)
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
