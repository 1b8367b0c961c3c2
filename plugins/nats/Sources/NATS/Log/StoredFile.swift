/// A file as a cluster keeps it: its parts one behind the other on a subject of
/// its own, each with its place before it: `OFFSET LAST\n`, LAST being 1 or 0.
///
/// Who brings it breaks off, and another goes on; parts that are there twice
/// count once.
enum StoredFile {
  static let maximumBytes: Int64 = 64 * 1024 * 1024

  struct Part {
    var offset: Int64
    var isLast: Bool
    var bytes: ArraySlice<UInt8>

    /// The place behind it.
    var end: Int64 { offset + Int64(bytes.count) }

    init(offset: Int64, isLast: Bool, bytes: some Collection<UInt8>) {
      (self.offset, self.isLast, self.bytes) = (offset, isLast, Array(bytes)[...])
    }

    /// Nil for what is no part of a file.
    init?(_ message: [UInt8]) {
      guard let newline = message.prefix(40).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let words = String(decoding: message[..<newline], as: UTF8.self).split(separator: " ")
      guard words.count == 2, let offset = Int64(words[0]), ["0", "1"].contains(words[1]),
        (0...StoredFile.maximumBytes).contains(offset)
      else { return nil }
      (self.offset, isLast, bytes) = (offset, words[1] == "1", message[(newline + 1)...])
    }

    var message: [UInt8] { Array("\(offset) \(isLast ? 1 : 0)\n".utf8) + bytes }
  }

  /// The name under which a file is kept: its SHA-256, and the ending of the
  /// name that it had, where that is one.
  static func name(sha256: String, of name: String) -> String? {
    let digest = sha256.lowercased()
    guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else { return nil }
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, (1...10).contains(ending.utf8.count),
      ending.utf8.allSatisfy({ $0 < 0x80 && Character(UnicodeScalar($0)).isLetterOrDigit })
    else { return digest }
    return "\(digest).\(ending.lowercased())"
  }

  /// Hands over the parts that are there in their order, each once, as long as
  /// `body` wants more.
  /// - Returns: where they end, and whether that is the file's end.
  static func read(
    _ log: SubjectLog, isolation: isolated (any Actor)? = #isolation,
    _ body: (Part) async -> Bool
  ) async throws(ClusterFault) -> (end: Int64, isWhole: Bool) {
    var end: Int64 = 0
    var isWhole = false
    try await log.forEachPage(from: 1) { page in
      for message in page {
        guard let part = Part(message.bytes), part.offset == end, part.end <= maximumBytes else {
          continue
        }
        end = part.end
        guard await body(part) else { return false }
        isWhole = part.isLast
        if isWhole { return false }
      }
      return true
    }
    return (end, isWhole)
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
