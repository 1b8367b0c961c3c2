internal import Glibc

/// Copies a file, for its owner only, to a path that nothing has.
/// - Returns: whether all of it was copied.
func copyFile(_ path: String, to other: String) -> Bool {
  let source = open(path, O_RDONLY | O_CLOEXEC)
  guard source >= 0 else { return false }
  defer { close(source) }
  let target = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard target >= 0 else { return false }
  defer { close(target) }
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = read(source, &chunk, chunk.count)
    guard count > 0 else { return count == 0 }
    guard write(target, chunk, count) == count else { return false }
  }
}

extension Database {
  /// Opens a copy of a file and its journal, which is gone with the connection.
  convenience init(copyOf path: String) throws(LogError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/banter-log-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw LogError(.denied, reason: "\(folder): \(String(cString: strerror(errno)))")
    }
    let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let copy = made + "/log.db"
    defer {
      for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
      rmdir(made)
    }
    guard copyFile(path, to: copy),
      copyFile(FileIdentity.journal(of: path), to: copy + "-wal")
    else {
      throw LogError(.denied, reason: "\(path): \(String(cString: strerror(errno)))")
    }
    try self.init(copy, .copy)
    // Opens the journal, which needs its name only now.
    _ = try first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
  }
}
