import Glibc
import Testing

/// A folder for one test.
struct Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/banter-session-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file in it.
  /// - Returns: the file's path.
  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
    let path = "\(self.path)/\(name)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    return path
  }

  /// Removes it with the files in it.
  func remove() {
    guard let stream = opendir(path) else { return }
    while let entry = readdir(stream) {
      withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          _ = unlinkat(dirfd(stream), name, 0)
        }
      }
    }
    closedir(stream)
    rmdir(path)
  }
}
