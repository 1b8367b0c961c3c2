internal import TransportSecurity

/// Where an image is.
package enum ImageSource: Hashable, Sendable {
  /// At an address that begins with `http:` or `https:`.
  case web(String)
  /// In the room, at a stored path.
  /// - sha256: what the message says of its contents.
  case stored(path: String, sha256: String?)
  /// In its own address (RFC 2397).
  case data(String)

  /// What a message names: an address, or else a stored path.
  package init(_ image: String, sha256: String? = nil) {
    if Self.hasScheme(image, "data:") {
      self = .data(image)
    } else if Self.hasScheme(image, "http://") || Self.hasScheme(image, "https://") {
      self = .web(image)
    } else {
      self = .stored(path: image, sha256: sha256)
    }
  }

  private static func hasScheme(_ text: String, _ scheme: String) -> Bool {
    text.utf8.count >= scheme.utf8.count
      && zip(text.utf8, scheme.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $1 >= 0x61 }
  }

  /// 64 hexadecimal digits that no other source has: of an address its SHA-256.
  package var key: String {
    switch self {
    case .web(let address), .data(let address): Self.digest(of: [address])
    case .stored(let path, let sha256): Self.digest(of: ["stored", path, sha256 ?? ""])
    }
  }

  /// What is digested is made unambiguous by a NUL behind all but the last.
  private static func digest(of parts: [String]) -> String {
    var digest = SHA256()
    for (index, part) in parts.enumerated() {
      let bytes = Array(part.utf8) + (index < parts.count - 1 ? [0] : [])
      bytes.withUnsafeBytes { digest.update($0) }
    }
    return digest.finish()
  }
}
