internal import CSQLite

/// What a column holds and a statement takes (sqlite.org/datatype3.html).
enum Value: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case null
  case integer(Int64)
  case text(String)

  init(nilLiteral: ()) { self = .null }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(_ value: Int64?) { self = value.map(Value.integer) ?? .null }
  init(_ value: String?) { self = value.map(Value.text) ?? .null }
}

/// A prepared statement; it ends with the connection that it belongs to.
final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let path: String
  private let sql: String

  init(_ sql: String, on connection: OpaquePointer, path: String) throws(LogError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw LogError(connection, path: path, sql: sql)
    }
    (self.handle, self.connection, self.path, self.sql) = (handle, connection, path, sql)
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs it to its end; rows are passed over.
  func run(_ values: [Value]) throws(LogError) {
    try forEachRow(values) { _ throws(LogError) in true }
  }

  /// Runs it and hands each row to `body`, which ends it by returning false.
  func forEachRow(
    _ values: [Value], _ body: (borrowing Row) throws(LogError) -> Bool
  ) throws(LogError) {
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: guard try body(Row(handle)) else { return }
      case SQLITE_DONE: return
      default: throw LogError(connection, path: path, sql: sql)
      }
    }
  }

  private func bind(_ value: Value, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .text(var text):
      _ = text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
        }
      }
    }
  }
}

/// The row at which a statement stands; columns are counted from 0.
struct Row: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
  }

  /// What the column holds; a number that is not whole, and bytes, as text.
  func value(_ column: Int32) -> Value {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(integer(column))
    default: Value(text(column))
    }
  }

  /// The text, with what is not UTF-8 repaired; nil for NULL.
  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
