internal import ChatModel

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

  /// Reads `nats://[user@]host[:port][,host[:port]...][/room]`, `%XX` in the
  /// room being a byte; nil for anything else.
  package init?(_ text: String) {
    guard case .remote(let scheme, let authority, let room)? = try? RoomAddress(text).place,
      scheme == "nats" || scheme == "nats+tls"
    else { return nil }
    (isSecure, self.room) = (scheme == "nats+tls", room)
    var hosts = authority[...]
    if let at = hosts.lastIndex(of: "@") {
      user = at == hosts.startIndex ? nil : String(hosts[..<at])
      hosts = hosts[hosts.index(after: at)...]
    }
    let all = hosts.split(separator: ",", omittingEmptySubsequences: false)
    servers = all.compactMap(Self.server)
    guard servers.count == all.count else { return nil }
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
}
