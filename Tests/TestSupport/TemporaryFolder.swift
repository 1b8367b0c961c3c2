internal import FileSystem
package import Glibc

/// A folder of one test's own, removed with all that is in it when it goes.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// Stops the test where no folder can be made.
  package init() {
    var template = Array("/tmp/banter-test-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no folder can be made in /tmp")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it before it goes.
  package func remove() { Self.remove(path) }

  private static func remove(_ path: String) {
    // Fails on what is not empty, and only then is there something below it.
    guard Glibc.remove(path) != 0 else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    Glibc.remove(path)
  }

  /// The contents of a file in the folder; nil when it is not there.
  package func read(_ name: String) -> [UInt8]? { contents(of: "\(path)/\(name)") }

  /// Writes a file in the folder anew, or appends to it with one write(2).
  /// - Returns: the path of the file.
  @discardableResult
  package func write(
    _ name: String, _ bytes: [UInt8], appending: Bool = false, mode: mode_t = 0o600
  ) -> String {
    let file = "\(path)/\(name)"
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC)
    let descriptor = open(file, flags, mode)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return file
  }

  /// The same with text.
  @discardableResult
  package func write(
    _ name: String, _ text: String, appending: Bool = false, mode: mode_t = 0o600
  ) -> String {
    write(name, Array(text.utf8), appending: appending, mode: mode)
  }
}

/// All of a file; nil when it cannot be read.
package func contents(of path: String) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 262_144)
  while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}

/// The names in a folder, sorted; none where it cannot be read.
package func names(in folder: String) -> [String] {
  FolderEntries(folder)?.sorted() ?? []
}
