internal import CSQLite
import TerminalText

/// The SQL function `search_text`: what of a message's content goes into the
/// index, its search key with two blanks behind it
/// (sqlite.org/appfunc.html).
enum SearchText {
  static func register(on connection: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    sqlite3_create_function_v2(
      connection, "search_text", 1, flags, nil, searchText, nil, nil, nil)
  }
}

/// Called by SQLite on the thread of whoever runs the statement.
private func searchText(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let value = values?[0], let bytes = sqlite3_value_text(value) else {
    return sqlite3_result_null(context)
  }
  let length = Int(sqlite3_value_bytes(value))
  let content = String(decoding: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
  var text = searchKey(of: content) + "  "
  text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      csqlite_result_text(context, $0.baseAddress, UInt64($0.count))
    }
  }
}
