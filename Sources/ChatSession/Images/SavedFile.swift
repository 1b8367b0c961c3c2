internal import ChatModel
internal import FileSystem
internal import Glibc
internal import Transport

/// A copy of a file for the user: under a name that is safe, in the folder that
/// was named, never in the place of something that is there.
enum SavedFile {
  struct Failure: Error {
    var path: String
    /// errno(3); nil where somebody has changed the file while it was copied.
    var errorNumber: Int32?

    /// What is wrong, without the path.
    var reason: LocalizedText {
      guard let errorNumber else {
        return LocalizedText(
          "it was changed or replaced meanwhile; try again", "그 사이에 바뀌었습니다. 다시 해 보세요")
      }
      let text = String(cString: strerror(errorNumber))
      return LocalizedText(text, text)
    }
  }

  /// How many names are tried.
  private static let attempts = 1_000
  private static let nameBytes = 200

  /// A name for a file that strangers have named: one component of a path, not
  /// hidden, not an option, without anything that acts on a terminal.
  /// - Parameter extension: what it ends in, where that is known from the
  ///   contents.
  static func name(_ name: String, extension known: String? = nil) -> String {
    var safe = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          let isHarmful =
            scalar == "/"
            || [.control, .format, .lineSeparator, .paragraphSeparator]
              .contains(scalar.properties.generalCategory)
          return isHarmful ? "_" : scalar
        }))
    // Whatever shortening leaves of it begins as a name may.
    safe = shortened(safe)
    while let first = safe.unicodeScalars.first, first == "." || first == "-" || first == " " {
      safe.unicodeScalars.removeFirst()
    }
    if safe.isEmpty { safe = "image" }
    guard let known, !ends(safe, in: known) else { return safe }
    return "\(withoutImageExtension(safe)).\(known)"
  }

  /// Without the extension of another kind of image: `smile.jpg` that is none.
  private static func withoutImageExtension(_ name: String) -> Substring {
    let isOther = ImageType.allCases.contains { ends(name, in: $0.fileExtension) }
    guard isOther, let point = name.lastIndex(of: "."), point > name.startIndex else {
      return name[...]
    }
    return name[..<point]
  }

  /// Whether a name or a path ends in an extension, or in another for the same.
  static func ends(_ name: String, in known: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".\(known)") || known == "jpg" && name.hasSuffix(".jpeg")
  }

  /// A name that every file system takes, with its end of at most 16 bytes.
  ///
  /// It is cut between scalars: a character may be longer than a name.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > nameBytes else { return name }
    let scalars = name.unicodeScalars
    let end = scalars.lastIndex(of: ".").map { scalars[$0...] } ?? scalars[scalars.endIndex...]
    guard Substring(end).utf8.count <= 16 else { return prefix(scalars[...]) }
    return prefix(scalars[..<end.startIndex]) + String(end)
  }

  private static func prefix(_ scalars: Substring.UnicodeScalarView) -> String {
    var count = 0
    return String(
      scalars.prefix { scalar in
        count += UTF8.width(scalar)
        return count <= nameBytes
      })
  }

  /// Copies a file into a folder, for its owner only, as it was when it was
  /// opened: off the main actor, as the copy of a large one takes a while.
  /// - Returns: the path of the copy.
  @concurrent
  static func copy(
    _ file: OpenFile, as name: String, in folder: String
  ) async throws(Failure) -> String {
    let (target, saved) = try create(name, in: folder)
    defer { close(target) }
    let size = Int(file.version?.sizeInBytes ?? 0)
    var offset = 0
    while offset < size {
      // In the kernel, wherever both files are (sendfile(2)).
      let count = sendfile(target, file.number, &offset, size - offset)
      if count < 0, errno == EINTR { continue }
      if count == 0 { break }
      guard count > 0 else {
        let number = errno
        unlink(saved)
        throw Failure(path: saved, errorNumber: number)
      }
    }
    guard file.isUnchanged else {
      unlink(saved)
      throw Failure(path: file.path, errorNumber: nil)
    }
    return saved
  }

  private static func create(
    _ name: String, in folder: String
  ) throws(Failure) -> (descriptor: Int32, path: String) {
    for attempt in 0..<attempts {
      let path = Path.entry(numbered(name, attempt), of: folder)
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(path, flags, 0o600)
      if descriptor >= 0 { return (descriptor, path) }
      // What is wrong is wrong with the folder: the name is new.
      guard errno == EEXIST else { throw Failure(path: folder, errorNumber: errno) }
    }
    throw Failure(path: Path.entry(name, of: folder), errorNumber: EEXIST)
  }

  /// `cat.png`, `cat-1.png`, `cat-2.png` …
  private static func numbered(_ name: String, _ attempt: Int) -> String {
    guard attempt > 0 else { return name }
    guard let point = name.lastIndex(of: "."), point > name.startIndex else {
      return "\(name)-\(attempt)"
    }
    return "\(name[..<point])-\(attempt)\(name[point...])"
  }
}
