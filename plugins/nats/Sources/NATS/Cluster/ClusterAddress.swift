/// What `nats://` and `nats+tls://` name: servers of one cluster, who one is
/// there, and a room.
package struct ClusterAddress: Equatable, Sendable {
  package var isSecure: Bool
  package var user: String?
  /// `host:port` each, an IPv6 address in brackets.
  package var servers: [String]
  /// Empty where only the cluster is named.
  package var room: String

  package static let port = 4222

  /// Reads `nats://[user@]host[:port][,host[:port]...][/room]`, `%XX` being a
  /// byte; nil for anything else.
  package init?(_ text: String) {
    guard let mark = text.firstRange(of: "://") else { return nil }
    switch text[..<mark.lowerBound].lowercased() {
    case "nats": isSecure = false
    case "nats+tls": isSecure = true
    default: return nil
    }
    let parts = text[mark.upperBound...].split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var authority = parts[0]
    if let at = authority.lastIndex(of: "@") {
      let name = Self.decoded(authority[..<at])
      user = name.isEmpty ? nil : name
      authority = authority[authority.index(after: at)...]
    }
    let hosts = authority.split(separator: ",", omittingEmptySubsequences: false)
    servers = hosts.compactMap(Self.server)
    guard servers.count == hosts.count else { return nil }
    room = parts.count > 1 ? Self.decoded(parts[1]) : ""
  }

  /// The same host with its port; nil where there is none.
  private static func server(_ text: Substring) -> String? {
    let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
    guard !text.hasPrefix("[") || bracket != nil else { return nil }
    let colon = text[(bracket ?? text.startIndex)...].lastIndex(of: ":")
    let host = colon.map { text[..<$0] } ?? text
    let isHost = bracket != nil || !host.contains(":")
    guard !host.isEmpty, isHost, !host.utf8.contains(where: { $0 <= 0x20 }) else { return nil }
    guard let colon else { return "\(host):\(port)" }
    guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else {
      return nil
    }
    return "\(host):\(number)"
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
