internal import Glibc

/// Paths, read byte by byte: to Swift, a slash with a combining mark behind it
/// is another character than a slash; to the file system it is a slash.
package enum Path {
  private static let slash = UInt8(ascii: "/")

  /// The folder that an entry of this path is in, dirname(3).
  package static func parent(of path: String) -> String {
    let bytes = withoutTrailingSlashes(path.utf8[...])
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    return String(Substring(withoutTrailingSlashes(bytes[...last])))
  }

  /// The last component of a path, basename(3).
  package static func name(of path: String) -> String {
    let bytes = withoutTrailingSlashes(path.utf8[...])
    guard bytes.count > 1, let last = bytes.lastIndex(of: slash) else {
      return String(Substring(bytes))
    }
    return String(Substring(bytes[bytes.index(after: last)...]))
  }

  /// The path without symbolic links, realpath(3); nil when nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path from the root, without symbolic links where it is there; of a
  /// file that is to be made, those of its folder.
  package static func absolute(_ path: String) -> String {
    if let whole = resolved(path) { return whole }
    if let folder = resolved(parent(of: path)) { return entry(name(of: path), of: folder) }
    return path.utf8.first == slash ? path : entry(path, of: resolved(".") ?? "")
  }

  /// The path of something in a folder.
  package static func entry(_ name: String, of folder: String) -> String {
    let folder = String(Substring(withoutTrailingSlashes(folder.utf8[...])))
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// Whether the path itself names a symbolic link, readlink(2).
  static func isLink(_ path: String) -> Bool {
    var byte: CChar = 0
    return readlink(path, &byte, 1) >= 0
  }

  /// `folder`, or the nearest one above it that exists.
  static func nearestFolder(of folder: String) -> String {
    var folder = folder
    while access(folder, F_OK) != 0, folder != "/", folder != "." {
      folder = parent(of: folder)
    }
    return folder
  }

  private static func withoutTrailingSlashes(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    return bytes
  }
}
