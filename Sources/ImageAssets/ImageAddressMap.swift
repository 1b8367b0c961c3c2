/// Maps the stored paths of images to their addresses on the web.
package struct ImageAddressMap: Sendable {
  /// Stored paths that begin with `prefix` have it replaced by `address`.
  package typealias Rule = (prefix: String, address: String)

  private let rules: [Rule]

  /// - Parameter rules: of several that fit, the one with the longest prefix
  ///   counts.
  package init(_ rules: [Rule]) {
    self.rules = rules.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
  }

  /// The address of an image; nil when it is stored somewhere that is not on
  /// the web. What is an address already stays one.
  package func address(of path: String) -> String? {
    guard case .stored = ImageSource(path) else { return path }
    guard let rule = rules.first(where: { path.hasPrefix($0.prefix) }) else { return nil }
    return rule.address + Self.encoded(path.dropFirst(rule.prefix.count))
  }

  /// A path within an address: what would end it there, or is in none, is
  /// encoded (RFC 3986, 2.1). Letters that are not ASCII may stand in one that is
  /// shown (RFC 3987).
  private static func encoded(_ path: Substring) -> String {
    var text = String.UnicodeScalarView()
    for scalar in path.unicodeScalars {
      guard
        scalar.value <= 0x20 || scalar == "\u{7f}"
          || "%#?\\\"<>^`{|}".unicodeScalars.contains(scalar)
      else {
        text.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      text.append(contentsOf: "%\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
    }
    return String(text)
  }
}
