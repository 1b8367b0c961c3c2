internal import CSQLite
internal import Glibc

/// A connection to an SQLite file, used by one owner at a time.
///
/// Statements are prepared once and kept (sqlite.org/c3ref/prepare.html).
final class Database {
  let path: String
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
  }

  /// How long a locked file is waited for. The log has a thread of its own to
  /// wait on.
  private static let patienceInMilliseconds: Int32 = 10_000

  init(_ path: String, _ access: Access) throws(LogError) {
    self.path = path
    if access == .writing { close(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)) }
    let flags = access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let name = "file:\(Self.encoded(path))" + (access == .immutable ? "?immutable=1" : "")
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

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(connection) }

  /// How many rows the last statement has changed.
  var changedRowCount: Int { Int(sqlite3_changes(connection)) }

  private func statement(_ sql: String) throws(LogError) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = try Statement(sql, on: connection, path: path)
    statements[sql] = statement
    return statement
  }
}
