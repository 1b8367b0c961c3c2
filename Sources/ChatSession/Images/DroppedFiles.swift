internal import ChatModel
internal import Executors
internal import Glibc

/// Files that were dropped on the terminal: what it then pastes are their paths,
/// quoted as a shell wants them (GNOME Terminal, Konsole, kitty, Ghostty), with
/// backslashes (iTerm2, Terminal), as they are (Alacritty), or as addresses
/// (`text/uri-list`, RFC 2483).
struct DroppedFiles: Equatable {
  /// From the root, at least one; each was a regular file when it was looked at.
  var paths: [String]

  /// More than this nobody drops at once.
  private static let limitInBytes = 64 << 10

  /// Whether a pasted text may be paths, by how it begins.
  static func isPossible(_ text: String) -> Bool {
    guard let first = text.trimmed.unicodeScalars.first else { return false }
    return "/'\"f".unicodeScalars.contains(first) && text.utf8.count <= limitInBytes
  }

  /// The same as ``init(_:)``, on a thread of its own: where a file is on a
  /// machine that does not answer, it may take for ever.
  static func find(_ text: String) async -> DroppedFiles? {
    await withCheckedContinuation { continuation in
      runOnOwnThread { continuation.resume(returning: DroppedFiles(text)) }
    }
  }

  /// Nil where a pasted text is anything else than paths of files that are
  /// there.
  init?(_ text: String) {
    guard Self.isPossible(text) else { return nil }
    let whole = text.trimmed
    if Self.isFile(whole) {
      paths = [whole]
      return
    }
    let split = FileNames.split(whole)
    let paths = split.words.map(FileNames.path(ofWord:))
    guard split.text == nil, !paths.isEmpty, paths.allSatisfy(Self.isFile) else { return nil }
    self.paths = paths
  }

  /// The command that sends them, for a caption to be added.
  var command: String { "/attach " + paths.map { FileNames.quoted($0) + " " }.joined() }

  /// Opens nothing: that alone can block or rewind something.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return path.utf8.first == UInt8(ascii: "/") && !path.utf8.contains(0)
      && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}

extension FileNames {
  /// The path that a word of a command names: `~/` at its beginning is the home
  /// folder, and `file://` a file of this machine (RFC 8089).
  static func path(ofWord word: String) -> String {
    guard word.hasPrefix("file:/") else { return expanded(word) }
    var rest = word.utf8.dropFirst(5)
    if rest.starts(with: "//".utf8) {
      let host = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || host.elementsEqual("localhost".utf8) || isThisMachine(host) else {
        return word
      }
      rest = rest.dropFirst(2 + host.count)
    }
    guard let bytes = percentDecoded(Array(rest)[...]), !bytes.contains(0) else { return word }
    return String(validating: bytes, as: UTF8.self) ?? word
  }

  /// gethostname(2): some terminals and file managers name it.
  private static func isThisMachine(_ host: Substring.UTF8View) -> Bool {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return false }
    return host.elementsEqual(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }
}
