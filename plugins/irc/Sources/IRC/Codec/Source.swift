/// Where a line comes from: a server, or somebody as `nick!user@host`.
package struct Source: Equatable, Sendable {
  package var nick: String
  package var user: String?
  package var host: String?

  package init(nick: String, user: String? = nil, host: String? = nil) {
    (self.nick, self.user, self.host) = (nick, user, host)
  }

  /// Reads any of `nick`, `nick!user`, `nick@host`, `nick!user@host`, and
  /// `user@host` where the nick is left out behind a `!`.
  package init(_ text: String) {
    var rest = text[...]
    if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
      host = String(rest[rest.utf8.index(after: at)...])
      rest = rest[..<at]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "!")) {
      user = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    nick = String(rest)
  }

  /// What stands before `!` and `@`.
  package static func nick(in source: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = source.firstIndex { $0 == UInt8(ascii: "!") || $0 == UInt8(ascii: "@") }
    return UnsafeRawBufferPointer(rebasing: source[..<(end ?? source.endIndex)])
  }

  /// As a server writes it before what somebody says.
  package var text: String {
    nick + (user.map { "!\($0)" } ?? "") + (host.map { "@\($0)" } ?? "")
  }
}
