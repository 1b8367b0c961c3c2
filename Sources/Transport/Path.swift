internal import Glibc

/// The folder that an entry of this path is in, dirname(3).
func parent(of path: String) -> String {
  let trimmed = withoutTrailingSlashes(path)
  guard let slash = trimmed.lastIndex(of: "/") else { return "." }
  let folder = withoutTrailingSlashes(String(trimmed[..<slash]))
  return folder.isEmpty ? "/" : folder
}

/// The last component of a path, basename(3).
func name(of path: String) -> String {
  let trimmed = withoutTrailingSlashes(path)
  guard let slash = trimmed.lastIndex(of: "/") else { return trimmed }
  return String(trimmed[trimmed.index(after: slash)...])
}

/// The path without symbolic links, realpath(3); nil when nothing is there.
func resolved(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

/// Whether the path itself names a symbolic link, readlink(2).
func isLink(_ path: String) -> Bool {
  var byte: CChar = 0
  return readlink(path, &byte, 1) >= 0
}

/// `folder`, or the nearest one above it that exists.
func nearestFolder(of folder: String) -> String {
  var folder = folder
  while access(folder, F_OK) != 0, folder != "/", folder != "." {
    folder = parent(of: folder)
  }
  return folder
}

private func withoutTrailingSlashes(_ path: String) -> String {
  var path = path[...]
  while path.count > 1, path.last == "/" { path.removeLast() }
  return String(path)
}
