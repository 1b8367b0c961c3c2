package import ChatModel

/// That a host is to be called with TLS only, at which port and until when
/// (IRCv3 sts).
package struct TransportPolicy: Equatable, Sendable {
  package var port: Int
  package var until: Timestamp

  package init(port: Int, until: Timestamp) {
    (self.port, self.until) = (port, until)
  }

  /// What `sts` says over plain text: the port to call with TLS.
  static func port(in value: String) -> Int? {
    field("port", in: value).flatMap { Int($0) }.flatMap { (1...65_535).contains($0) ? $0 : nil }
  }

  /// What it says over TLS: for how long it counts.
  static func duration(in value: String) -> Int64? {
    field("duration", in: value).flatMap { Int64($0) }.map { min(max($0, 0), 3_153_600_000) }
  }

  private static func field(_ name: String, in value: String) -> Substring? {
    for part in value.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == name { return pair[1] }
    }
    return nil
  }
}
