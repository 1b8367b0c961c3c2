/// What `irc://` and `ircs://` name: a server, who one is there, and a channel
/// or somebody.
package struct IRCAddress: Equatable, Sendable {
  package var isSecure: Bool
  package var nick: String?
  package var host: String
  package var port: Int
  /// Empty where only the server is named.
  package var room: String

  package static let plainPort = 6667
  package static let securePort = 6697

  /// What is meant where no address is given.
  static let nowhere = IRCAddress()

  private init() {
    (isSecure, nick, host, port, room) = (false, nil, "", Self.plainPort, "")
  }

  /// Reads `irc://[nick@]host[:port][/room]`; nil for anything else.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    switch text[..<mark.lowerBound].lowercased() {
    case "irc": isSecure = false
    case "ircs": isSecure = true
    default: return nil
    }
    let rest = text[mark.upperBound...].utf8
    let end =
      rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var authority = Substring(rest[..<end])
    var path = rest[end...]
    if path.first == UInt8(ascii: "/") { path = path.dropFirst() }
    room = Self.decoded(path)
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      nick = Self.decoded(authority[..<at].utf8)
      if nick?.isEmpty == true { nick = nil }
      authority = authority[authority.utf8.index(after: at)...]
    }
    port = isSecure ? Self.securePort : Self.plainPort
    guard let (name, number) = Self.hostAndPort(authority), !name.isEmpty else { return nil }
    host = name
    if let number { port = number }
  }

  /// A server as its user would write it; the port only where it is not the
  /// usual one.
  package static func text(host: String, port: Int, isSecure: Bool) -> String {
    let scheme = isSecure ? "ircs" : "irc"
    let name = host.contains(":") ? "[\(host)]" : host
    let isUsual = port == (isSecure ? securePort : plainPort)
    return "\(scheme)://\(name)\(isUsual ? "" : ":\(port)")"
  }

  private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
    let colon = UInt8(ascii: ":")
    var host = authority
    var port: Substring?
    if authority.utf8.first == UInt8(ascii: "[") {
      guard let end = authority.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = Substring(authority.utf8[..<end].dropFirst())
      let rest = authority.utf8[end...].dropFirst()
      guard rest.isEmpty || rest.first == colon else { return nil }
      port = rest.isEmpty ? nil : Substring(rest.dropFirst())
    } else if let mark = authority.utf8.lastIndex(of: colon),
      authority.utf8.firstIndex(of: colon) == mark
    {
      host = authority[..<mark]
      port = Substring(authority.utf8[mark...].dropFirst())
    }
    guard let port, !port.isEmpty else { return (String(host), nil) }
    guard let number = Int(port), (1...65_535).contains(number) else { return nil }
    return (String(host), number)
  }

  private static func decoded(_ text: some Collection<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(IRCText.decode(rest.prefix(2)), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return IRCText.decode(bytes)
  }
}
