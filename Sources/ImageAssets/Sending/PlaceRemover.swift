internal import CPosix
internal import ChatModel
package import FileSystem
internal import Glibc

/// Makes photos and films ready to be sent without anything that could tell where
/// they were taken: only what is known to be picture, sound, colours and
/// orientation stays, to the bit.
package struct PlaceRemover: Sendable {
  private let folder: String
  private let temporaryFolder: String
  private let limitInBytes: Int

  /// - Parameters:
  ///   - folder: where copies are made while they are being sent.
  ///   - environment: `TMPDIR` is where they are made when that cannot be
  ///     written.
  ///   - limitInBytes: how large a photo or film may be, which is all in memory
  ///     while it is looked at.
  package init(folder: String, environment: [String: String], limitInBytes: Int = 64_000_000) {
    (self.folder, self.limitInBytes) = (folder, limitInBytes)
    let named = environment["TMPDIR"] ?? ""
    temporaryFolder = named.hasPrefix("/") ? named : "/tmp"
  }

  /// A copy that tells less; the file itself, where it is no photo and no film.
  ///
  /// What was looked at is what is sent: a photo that somebody still writes to
  /// is not sent otherwise than it was looked at.
  /// - Throws: why nothing of it may be sent.
  @concurrent
  package func prepare(_ file: OpenFile) async throws(PlaceFailure) -> PreparedFile {
    let beginning = try Self.beginning(of: file, count: MediaKind.beginningBytes)
    guard let kind = MediaKind(beginning: beginning) else { return PreparedFile(asItIs: file) }
    // Looked at before it is read: it may be large.
    guard kind != .opaque else { throw .unknownKind }
    let bytes = try Self.beginning(of: file, count: limitInBytes + 1)
    guard bytes.count <= limitInBytes else { throw .tooLarge(limitInBytes: limitInBytes) }
    let bare = try Self.bare(bytes, kind)
    return try copy(bare, of: file.path, tellsLess: bare != bytes)
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

  /// So many bytes, or all where there are fewer.
  private static func beginning(
    of file: OpenFile, count: Int
  ) throws(PlaceFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(count, 1 << 20))
    while bytes.count < count {
      let wanted = min(buffer.count, count - bytes.count)
      let got = pread(file.number, &buffer, wanted, bytes.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .notRead(errorNumber: errno) }
      if got == 0 { break }
      bytes += buffer.prefix(got)
    }
    return bytes
  }

  private func copy(
    _ bytes: [UInt8], of path: String, tellsLess: Bool
  ) throws(PlaceFailure) -> PreparedFile {
    if posix_make_private_folder(folder) == 0,
      let copy = try? PreparedFile(bytes, of: path, in: folder, tellsLess: tellsLess)
    {
      return copy
    }
    return try PreparedFile(bytes, of: path, in: temporaryFolder, tellsLess: tellsLess)
  }
}
