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
    return rule.address + path.dropFirst(rule.prefix.count)
  }
}
