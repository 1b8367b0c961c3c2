internal import CPosix
internal import ChatModel
internal import FileSystem
internal import Glibc

/// Makes photos and films ready to be sent without anything that could tell where
/// they were taken: only what is known to be picture, sound, colours and
/// orientation stays, to the bit.
package struct PlaceRemover: Sendable {
  private let folder: String
  private let temporaryFolder: String

  /// - Parameters:
  ///   - folder: where copies are made while they are being sent.
  ///   - environment: `TMPDIR` is where they are made when that cannot be
  ///     written.
  package init(folder: String, environment: [String: String]) {
    self.folder = folder
    let named = environment["TMPDIR"] ?? ""
    temporaryFolder = named.hasPrefix("/") ? named : "/tmp"
  }

  /// A copy that tells less; the file itself, where it is no photo and no film.
  ///
  /// What was looked at is what is sent: a photo that somebody still writes to
  /// is not sent otherwise than it was looked at.
  /// - Throws: why nothing of it may be sent.
  @concurrent
  package func prepare(_ path: String) async throws(PlaceFailure) -> PreparedFile {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    // Whoever sends it says why it cannot be read.
    guard source >= 0 else { return PreparedFile(asItIs: path) }
    defer { close(source) }
    let beginning = HeaderBytes(ofFile: source).atMost(MediaKind.beginningBytes, at: 0)
    guard let kind = MediaKind(beginning: beginning) else { return PreparedFile(asItIs: path) }
    // Looked at before it is read: it may be large.
    guard kind != .opaque else { throw .unknownKind }
    let file = try Self.contents(of: source)
    let bare = try Self.bare(file, kind)
    return try copy(bare, named: Self.name(of: path), tellsLess: bare != file)
  }

  static func bare(_ file: [UInt8], _ kind: MediaKind) throws(PlaceFailure) -> [UInt8] {
    switch kind {
    case .image(.jpeg): try BareJPEG.bytes(of: file)
    case .image(.png): try BarePNG.bytes(of: file)
    case .image(.gif): try BareGIF.bytes(of: file)
    case .image(.webp): try BareWebP.bytes(of: file)
    case .baseMedia: try BareBaseMedia.bytes(of: file)
    case .opaque: throw .unknownKind
    }
  }

  private static func contents(of file: Int32) throws(PlaceFailure) -> [UInt8] {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
    return HeaderBytes(ofFile: file).atMost(Int(status.st_size), at: 0)
  }

  /// The last component, read byte by byte as the file system does.
  private static func name(of path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    return String(Substring(name))
  }

  // MARK: - The folder of copies

  private func copy(
    _ bytes: [UInt8], named name: String, tellsLess: Bool
  ) throws(PlaceFailure) -> PreparedFile {
    if posix_make_private_folder(folder) == 0 {
      removeAbandoned()
      let copy = try? PreparedFile(bytes, named: name, in: folder, tellsLess: tellsLess)
      if let copy { return copy }
    }
    return try PreparedFile(bytes, named: name, in: temporaryFolder, tellsLess: tellsLess)
  }

  /// After which time, in seconds, a copy is one that a process has left that
  /// was killed.
  private static let abandonedAge = 24 * 3600

  private func removeAbandoned() {
    guard let copies = FolderEntries(folder) else { return }
    for copy in copies {
      let path = "\(folder)/\(copy)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_mtim.tv_sec < time(nil) - Self.abandonedAge
      else { continue }
      FolderEntries(path)?.forEach { unlink("\(path)/\($0)") }
      rmdir(path)
    }
  }
}
