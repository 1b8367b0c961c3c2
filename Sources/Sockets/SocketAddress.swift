/// Where to listen, or whom to call.
package struct SocketAddress: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A host's name or address, without brackets; empty for every address.
    case host(String, port: String)
    /// A Unix socket.
    case path(String)
  }

  package var place: Place
  /// Whether TLS is spoken there.
  package var isSecure = false

  package init(_ place: Place, isSecure: Bool = false) {
    self.place = place
    self.isSecure = isSecure
  }

  package static let plainPort = "7750"
  package static let securePort = "7751"

  /// Reads `tcp://host:7750`, `tls://host`, `unix:///path`; nil for anything
  /// else.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    let rest = text[colon.upperBound...]
    switch text[..<colon.lowerBound] {
    case "tcp": self.init(authority: rest, isSecure: false)
    case "tls": self.init(authority: rest, isSecure: true)
    case "unix"
    where rest.utf8.first == UInt8(ascii: "/") && !rest.utf8.contains(UInt8(ascii: "?")):
      self.init(.path(String(rest)))
    default: return nil
    }
  }

  /// Reads `host`, `host:port`, `[address]:port`; nil where the port is none.
  package init?(authority: some StringProtocol, isSecure: Bool) {
    let standard = isSecure ? Self.securePort : Self.plainPort
    guard let (host, port) = Self.split(Substring(authority)) else { return nil }
    let number = port.isEmpty ? standard : String(port)
    guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt16(number),
      value > 0 || port == "0"
    else { return nil }
    self.init(.host(String(host), port: number), isSecure: isSecure)
  }

  private static func split(_ authority: Substring) -> (host: Substring, port: Substring)? {
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      let host = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else { return nil }
      return (host, rest.dropFirst())
    }
    guard let colon = authority.lastIndex(of: ":"), authority.firstIndex(of: ":") == colon else {
      return (authority, "")
    }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }
}

extension SocketAddress: CustomStringConvertible {
  package var description: String {
    switch place {
    case .path(let path): "unix://\(path)"
    case .host(let host, let port):
      "\(isSecure ? "tls" : "tcp")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
  }
}
