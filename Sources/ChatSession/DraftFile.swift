internal import Glibc

/// A private file that holds a line while it is edited.
struct DraftFile {
  let path: String

  /// Makes it in `folder`.
  /// - Throws: what the system said, with the path.
  init(_ text: String, in folder: String) throws(CommandError) {
    var template = Array("\(folder)/banter-XXXXXX.txt".utf8CString)
    let descriptor = mkstemps(&template, 4)
    guard descriptor >= 0 else { throw Self.failure(folder) }
    defer { close(descriptor) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let bytes = Array((text.isEmpty ? "" : text + "\n").utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      let failure = Self.failure(path)
      unlink(path)
      throw failure
    }
  }

  /// What is in the file now, without the newline at its end.
  func read() throws(CommandError) -> String {
    guard var bytes = readFile(path, limit: 1 << 20) else { throw Self.failure(path) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  func remove() { unlink(path) }

  private static func failure(_ path: String) -> CommandError {
    CommandError("\(path): \(String(cString: strerror(errno)))")
  }
}
