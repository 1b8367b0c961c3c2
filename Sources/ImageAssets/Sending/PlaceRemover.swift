internal import CPosix
internal import FileSystem
internal import Glibc

/// Makes photos ready to be sent without the place where they were taken; what
/// else they tell, such as times, orientation and colours, stays, and so do the
/// pixels.
package struct PlaceRemover: Sendable {
  private let folder: String
  private let environment: [String: String]

  /// - Parameter folder: where copies are made while they are being sent.
  package init(folder: String, environment: [String: String]) {
    (self.folder, self.environment) = (folder, environment)
  }

  /// A copy without the place; the file itself, where it is no photo.
  ///
  /// What was looked at is what is sent: a photo that somebody still writes to
  /// is not sent otherwise than it was looked at.
  /// - Throws: why nothing of it may be sent.
  @concurrent
  package func prepare(_ path: String) async throws(PlaceFailure) -> OutgoingFile {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    // Whoever sends it says why it cannot be read.
    guard source >= 0 else { return OutgoingFile(asItIs: path) }
    defer { close(source) }
    let beginning = HeaderBytes(ofFile: source).atMost(PlaceData.beginningBytes, at: 0)
    guard PlaceData.mayBeIn(beginning: beginning) else { return OutgoingFile(asItIs: path) }
    try makeFolder()
    let copy = try OutgoingFile(copying: source, named: Self.name(of: path), in: folder)
    if try Self.has(PlaceData.blocks, copy) { try await removePlace(from: copy) }
    // A second picture behind the first, a block that exiv2 passes over.
    guard try !Self.has(PlaceData.traces, copy) else { throw .notRemovable }
    return copy
  }

  private func removePlace(from copy: OutgoingFile) async throws(PlaceFailure) {
    let tool = try await MetadataTool(environment).shutIn(with: copy)
    let keys = try await tool.keys(of: copy).filter(PlaceData.isNamed)
    guard !keys.isEmpty else { return }
    await tool.remove(keys, from: copy)
    var rest = try await tool.keys(of: copy).filter(PlaceData.isNamed)
    // Of keys that it lists and does not know, and where a WebP file would be
    // left without XMP, all of XMP has to go.
    if rest.contains(where: { $0.hasPrefix("Xmp.") }) {
      await tool.removeXMP(from: copy)
      await tool.remove(rest.filter { !$0.hasPrefix("Xmp.") }, from: copy)
      rest = try await tool.keys(of: copy).filter(PlaceData.isNamed)
    }
    guard rest.isEmpty else { throw .notRemovable }
  }

  private static func has(_ parts: [[UInt8]], _ copy: OutgoingFile) throws(PlaceFailure) -> Bool {
    let file = open(copy.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { throw .notCopied(path: copy.path, errorNumber: errno) }
    defer { close(file) }
    return PlaceData.contains(parts, inFile: file)
  }

  /// The last component, read byte by byte as the file system does.
  private static func name(of path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    return String(Substring(name))
  }

  // MARK: - The folder of copies

  /// After which time, in seconds, a copy is one that a process has left that
  /// was killed.
  private static let abandonedAge = 24 * 3600

  private func makeFolder() throws(PlaceFailure) {
    guard posix_make_private_folder(folder) == 0 else {
      throw .notCopied(path: folder, errorNumber: errno)
    }
    removeAbandoned()
  }

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
