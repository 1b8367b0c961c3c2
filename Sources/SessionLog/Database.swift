internal import CSQLite
internal import Glibc

/// A connection to an SQLite file, used by one owner at a time.
///
/// Statements are prepared once and kept (sqlite.org/c3ref/prepare.html).
final class Database {
  let path: String
  let access: Access
  /// The file that was opened, which need not be the one that has the path now.
  let file: FileIdentity?
  /// Whether a journal lies beside the file as long as it is open
  /// (sqlite.org/wal.html).
  private(set) var hasWAL = false
  private let connection: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// How a file is opened (sqlite.org/c3ref/open.html).
  enum Access {
    /// For writing; the file is made, for its owner only, where it is missing.
    case writing
    case reading
    /// A file that nothing can change, on a read-only file system; needs no
    /// `-wal` and `-shm` beside it (sqlite.org/uri.html, immutable).
    case immutable
    /// A copy without a name.
    case copy
    /// No file at all.
    case memory
  }

  /// How long a locked file is waited for. The log has a thread of its own to
  /// wait on.
  private static let patienceInMilliseconds: Int32 = 10_000

  init(_ path: String, _ access: Access) throws(LogError) {
    (self.path, self.access) = (path, access)
    if access != .memory { try Self.prepare(path, access) }
    file = FileIdentity(path)
    let isWritable = access != .reading && access != .immutable
    let flags = isWritable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let place = access == .memory ? ":memory:" : Self.encoded(path)
    let name = "file:\(place)" + (access == .immutable ? "?immutable=1" : "")
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      let error = LogError(handle, path: path)
      sqlite3_close_v2(handle)
      throw error
    }
    connection = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.patienceInMilliseconds)
    csqlite_set_defensive(handle)
    SearchText.register(on: handle)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(connection)
  }

  /// Makes a file that is missing, and finds out what SQLite would not tell.
  private static func prepare(_ path: String, _ access: Access) throws(LogError) {
    // A file that is there must not be opened: closing it would give up the
    // locks of every other connection (sqlite.org/howtocorrupt.html, 2.2).
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let made = access == .writing ? open(path, flags, 0o600) : -1
    guard made < 0 else {
      close(made)
      return
    }
    guard let size = FileIdentity.size(of: path) else { return }
    guard let size else { throw LogError(.damaged, reason: "\(path): is no regular file") }
    // To SQLite a file without a page is an empty one, and its journal one that
    // was left behind: it would remove it.
    if size < 512, size > 0 || FileIdentity.hasJournal(path) {
      throw LogError(.damaged, reason: "\(path): most of the file is missing")
    }
  }

  /// Whether the file that is open, or its journal, is no longer where others
  /// look for it.
  var isLost: Bool {
    access != .copy && (file != FileIdentity(path) || isWALLost)
  }

  private var isWALLost: Bool {
    hasWAL && Glibc.access(FileIdentity.journal(of: path), F_OK) != 0 && errno == ENOENT
  }

  /// Lets what is in a journal that was deleted come into the file, before the
  /// journal is gone for good.
  func saveLostWAL() {
    if isWALLost, file == FileIdentity(path) { try? execute("PRAGMA wal_checkpoint(FULL)") }
  }

  /// Chooses the kind of journal (sqlite.org/pragma.html#pragma_journal_mode).
  func setJournal(isShared: Bool) throws(LogError) {
    let mode = isShared ? "DELETE" : "WAL"
    hasWAL = try first("PRAGMA journal_mode = \(mode)") { $0.text(0) } == "wal"
  }

  /// A path within a URI: what has a meaning there is escaped.
  private static func encoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let isPlain = byte > 0x2c && byte < 0x3a || byte > 0x40 && byte < 0x7f
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }

  /// Runs statements without values, one after the other.
  func execute(_ sql: String) throws(LogError) {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw LogError(connection, path: path, sql: sql)
    }
  }

  /// Runs one statement to its end.
  func run(_ sql: String, _ values: Value...) throws(LogError) {
    try statement(sql).run(values)
  }

  func run(_ sql: String, _ values: [Value]) throws(LogError) {
    try statement(sql).run(values)
  }

  /// Runs a query and hands each row to `body`, which ends it by returning
  /// false. The row is good only within `body`.
  func forEachRow(
    _ sql: String, _ values: [Value] = [], _ body: (borrowing Row) throws(LogError) -> Bool
  ) throws(LogError) {
    try statement(sql).forEachRow(values, body)
  }

  /// What `transform` makes of each row.
  func rows<Element>(
    _ sql: String, _ values: Value..., transform: (borrowing Row) -> Element
  ) throws(LogError) -> [Element] {
    var elements: [Element] = []
    try statement(sql).forEachRow(values) { row throws(LogError) in
      elements.append(transform(row))
      return true
    }
    return elements
  }

  /// What `transform` makes of the first row; nil when there is none.
  func first<Element>(
    _ sql: String, _ values: Value..., transform: (borrowing Row) -> Element
  ) throws(LogError) -> Element? {
    var element: Element?
    try statement(sql).forEachRow(values) { row throws(LogError) in
      element = transform(row)
      return false
    }
    return element
  }

  /// Runs `body` in one transaction, which is undone when it throws.
  ///
  /// It takes the right to write at once, so that it cannot fail half-way
  /// because somebody else has it (sqlite.org/lang_transaction.html).
  func transaction<Result>(_ body: () throws(LogError) -> Result) throws(LogError) -> Result {
    guard sqlite3_get_autocommit(connection) != 0 else { return try body() }
    try execute("BEGIN IMMEDIATE")
    do throws(LogError) {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back by itself.
      if sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The bytes of the file (sqlite.org/c3ref/serialize.html).
  var bytes: [UInt8] {
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(connection, "main", &size, 0) else { return [] }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// How many rows the last statement has changed.
  var changedRowCount: Int { Int(sqlite3_changes(connection)) }

  private func statement(_ sql: String) throws(LogError) -> Statement {
    if let statement = statements[sql] { return statement }
    // Searches make statements of their own, without end.
    if statements.count >= 200 { statements = [:] }
    let statement = try Statement(sql, on: connection, path: path)
    statements[sql] = statement
    return statement
  }
}
