/// Which addresses an image may be fetched from.
///
/// What somebody writes into a chat must not make this machine call one that
/// only it can reach: itself, its neighbours, or the service that tells a
/// machine in a data centre its secrets.
package struct AddressPolicy: Hashable, Sendable {
  /// Whether addresses that only some machines can reach are allowed.
  package var allowsPrivate: Bool
  private let privateNetworks: [IPNetwork]
  /// The networks that this machine is in, private as well although everybody
  /// may know their addresses.
  package var localNetworks: [IPNetwork] = []

  /// What becomes of an address.
  package enum Verdict: Sendable {
    case allowed
    /// It is private, and that is not wanted.
    case isPrivate
    /// No server is there, whatever is wanted.
    case isUseless
  }

  /// Refuses what is private, unless told otherwise.
  package init(allowsPrivate: Bool = false) {
    self.init(allowsPrivate: allowsPrivate, privateNetworks: Self.privateNetworks)
  }

  /// - Parameter privateNetworks: stands for those that are known in tests.
  init(allowsPrivate: Bool = false, privateNetworks: [IPNetwork]) {
    (self.allowsPrivate, self.privateNetworks) = (allowsPrivate, privateNetworks)
  }

  /// Whether an address may be called. One that stands for another (RFC 6052
  /// and the like) is as allowed as that.
  package func verdict(on address: IPAddress) -> Verdict {
    if (privateNetworks + localNetworks).contains(where: { $0.contains(address) }) {
      return allowsPrivate ? .allowed : .isPrivate
    }
    if let inner = address.embeddedIPv4 { return verdict(on: inner) }
    if Self.useless.contains(where: { $0.contains(address) }) { return .isUseless }
    return !address.isIPv6 || Self.globalUnicast.contains(address) ? .allowed : .isUseless
  }

  /// This machine, and networks of one's own.
  static let privateNetworks: [IPNetwork] = [
    "127.0.0.0/8", "::1/128",  // loopback (RFC 1122, RFC 4291)
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private (RFC 1918)
    "100.64.0.0/10",  // behind a provider's NAT (RFC 6598)
    "169.254.0.0/16", "fe80::/10",  // link-local (RFC 3927, RFC 4291)
    "fc00::/7", "fec0::/10",  // unique local (RFC 4193), site-local (RFC 3879)
    // What tells a machine of Azure its secrets (learn.microsoft.com,
    // "What is IP address 168.63.129.16?").
    "168.63.129.16",
  ]

  /// Where no web server is: the registries of IANA for special purposes
  /// (RFC 6890).
  private static let useless: [IPNetwork] = [
    "0.0.0.0/8",  // this network; Linux takes 0.0.0.0 for itself
    "192.0.0.0/24", "2001::/23",  // protocols (RFC 6890), Teredo (RFC 4380)
    "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation (RFC 5737)
    "2001:db8::/32", "3fff::/20",  // documentation (RFC 3849, RFC 9637)
    "192.88.99.0/24",  // 6to4 relays (RFC 7526)
    "198.18.0.0/15",  // benchmarks (RFC 2544)
    "224.0.0.0/4",  // multicast (RFC 5771)
    "240.0.0.0/4",  // reserved, and broadcast (RFC 1112, RFC 919)
  ]

  /// All that is given out of IPv6 so far (RFC 4291, 2.4).
  static let globalUnicast: IPNetwork = "2000::/3"
}
