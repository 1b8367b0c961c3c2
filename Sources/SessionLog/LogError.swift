internal import CSQLite

/// Why the session log could not do what it was asked to, as one sentence that
/// a user can act on.
package struct LogError: Error, Hashable, Sendable {
  /// The kind of failure; open, so that a new kind breaks nobody's `switch`.
  package struct Code: Hashable, Sendable {
    /// What tells one kind from another; not for users.
    package var name: String

    /// What is in the file is no database, or a damaged one.
    package static let damaged = Code(name: "damaged")
    /// A newer Banter has written the file.
    package static let newer = Code(name: "newer")
    /// Another program holds the file.
    package static let busy = Code(name: "busy")
    /// Permission is missing, or the file system is read-only.
    package static let denied = Code(name: "denied")
    /// The disk is full.
    package static let noSpace = Code(name: "noSpace")
    /// The device or the file system failed.
    package static let inputOutput = Code(name: "inputOutput")
    /// There is nothing of that name.
    package static let notFound = Code(name: "notFound")
    /// Anything else that SQLite refuses.
    package static let other = Code(name: "other")
  }

  /// The kind of failure.
  package var code: Code
  /// SQLite's extended result code (sqlite.org/rescode.html); 0 where it was
  /// not SQLite that failed.
  package var sqliteCode: Int32
  /// What is wrong and what to do about it, without a full stop.
  package var reason: String

  /// An error that was found here, or by SQLite when it has its code.
  package init(_ code: Code, sqliteCode: Int32 = 0, reason: String) {
    self.code = code
    self.sqliteCode = sqliteCode
    self.reason = reason
  }
}

extension LogError: CustomStringConvertible {
  /// ``reason``, in English.
  package var description: String { reason }
}

extension LogError {
  /// What SQLite said last about a connection.
  init(_ connection: OpaquePointer?, path: String, sql: String = "") {
    let code = connection.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
    let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    let context = sql.isEmpty ? "" : " (\(sql.prefix(60)))"
    let (kind, advice) = Self.meaning(of: code)
    self.init(
      kind, sqliteCode: code,
      reason: "\(path): \(said)" + (advice.isEmpty ? context : "; \(advice)"))
  }

  private static func meaning(of code: Int32) -> (Code, advice: String) {
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB: (.damaged, "")
    case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another program holds it; close that")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN:
      (.denied, "check the permissions of the file and its folder")
    case SQLITE_FULL: (.noSpace, "make room on the disk")
    case SQLITE_IOERR: (.inputOutput, "")
    default: (.other, "")
    }
  }
}
