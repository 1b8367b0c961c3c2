internal import ChatModel
internal import Glibc

/// A private file that holds a line while it is edited.
struct DraftFile {
  /// How large it may become.
  private static let limit = 1 << 20

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
    var status = stat()
    guard lstat(path, &status) == 0 else { throw Self.failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError("\(path): is no regular file any more; the line stays as it was")
    }
    guard status.st_size <= Self.limit else {
      let most = sizeText(Int64(Self.limit))
      throw CommandError("\(path): has become larger than \(most); the line stays as it was")
    }
    guard var bytes = readFile(path, limit: Self.limit) else { throw Self.failure(path) }
    // A line cannot hold NUL.
    bytes.removeAll { $0 == 0 }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  func remove() { unlink(path) }

  private static func failure(_ path: String) -> CommandError {
    CommandError("\(path): \(String(cString: strerror(errno)))")
  }
}
