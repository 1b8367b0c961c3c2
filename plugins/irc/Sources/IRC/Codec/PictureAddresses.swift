/// The addresses of pictures in what somebody says.
package enum PictureAddresses {
  private static let limit = 8
  private static let extensions: Set<String> = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg",
  ]

  /// In their order, each once.
  package static func find(in text: String) -> [String] {
    guard text.hasByte(where: { $0 == UInt8(ascii: "/") }), text.contains("://") else { return [] }
    var found: [String] = []
    for word in text.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace }) {
      let address = trimmed(String(Substring(word)))
      guard isPicture(address), !found.contains(address) else { continue }
      found.append(address)
      if found.count == limit { break }
    }
    return found
  }

  /// Without the marks that stand around an address in a sentence.
  private static func trimmed(_ word: String) -> String {
    var bytes = word.utf8[...]
    while let first = bytes.first, #"<("'["#.utf8.contains(first) { bytes = bytes.dropFirst() }
    while let last = bytes.last, #">)"'].,;:!?"#.utf8.contains(last) { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }

  private static func isPicture(_ address: String) -> Bool {
    let lowered = address.lowercased()
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://"), address.utf8.count <= 2048
    else { return false }
    let path = lowered.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.count > 8, let slash = path.lastIndex(of: UInt8(ascii: "/")),
      let dot = path[slash...].lastIndex(of: UInt8(ascii: "."))
    else { return false }
    // Behind the host, which has dots as well.
    guard Substring(path[..<slash]).utf8.dropFirst(8).contains(where: { $0 != UInt8(ascii: "/") })
    else { return false }
    return extensions.contains(String(Substring(path[path.index(after: dot)...])))
  }
}
