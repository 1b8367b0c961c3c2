package import Glibc

/// An address of a machine: IPv4 or IPv6, without a port or a zone.
package struct IPAddress: Hashable, Sendable {
  /// Four of IPv4 (RFC 791) or sixteen of IPv6 (RFC 4291), in network order.
  package let bytes: [UInt8]

  fileprivate init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads an address as inet_pton(3) does; nil for anything else, such as the
  /// short forms of inet_aton(3).
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard !text.utf8.contains(0) else { return nil }
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 {
        self.init(bytes: bytes)
        return
      }
    }
    return nil
  }

  /// The one in a socket address; nil where that is of another family.
  package init?(_ address: UnsafePointer<sockaddr>) {
    let start = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var inner = start.loadUnaligned(as: sockaddr_in.self).sin_addr
      self.init(bytes: withUnsafeBytes(of: &inner) { Array($0) })
    case AF_INET6:
      var inner = start.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self.init(bytes: withUnsafeBytes(of: &inner) { Array($0) })
    default:
      return nil
    }
  }

  /// Whether it is one of IPv6, which stands in brackets before a port.
  package var isIPv6: Bool { bytes.count == 16 }

  /// The address of IPv4 that packets to this one may end at: of one that is
  /// mapped or compatible (RFC 4291, 2.5.5), translated (RFC 6052, 2.1) or 6to4
  /// (RFC 3056, 2).
  var embeddedIPv4: IPAddress? {
    guard isIPv6 else { return nil }
    if Self.prefixes.contains(where: { $0.contains(self) }) {
      return IPAddress(bytes: Array(bytes[12...]))
    }
    if bytes.starts(with: [0x20, 0x02]) { return IPAddress(bytes: Array(bytes[2..<6])) }
    return nil
  }

  private static let prefixes: [IPNetwork] = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"]
}

extension IPAddress: CustomStringConvertible {
  /// As inet_ntop(3) writes it.
  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// The addresses that begin with the same bits.
package struct IPNetwork: Hashable, Sendable {
  private let base: [UInt8]
  private let prefixInBits: Int

  /// Reads `10.0.0.0/8`, `fc00::/7`, or an address, which is meant alone.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2, let address = IPAddress(first) else {
      return nil
    }
    let most = address.bytes.count * 8
    guard let bits = parts.count == 2 ? Int(parts[1]) : most, (0...most).contains(bits) else {
      return nil
    }
    (base, prefixInBits) = (address.bytes, bits)
  }

  /// - Parameter prefixInBits: how many of them an address has to share; no more
  ///   than it has.
  init(_ address: IPAddress, prefixInBits: Int) {
    (base, self.prefixInBits) = (address.bytes, prefixInBits)
  }

  /// Whether an address of the same family is in it.
  package func contains(_ address: IPAddress) -> Bool {
    guard address.bytes.count == base.count else { return false }
    let (whole, rest) = prefixInBits.quotientAndRemainder(dividingBy: 8)
    guard address.bytes.prefix(whole).elementsEqual(base.prefix(whole)) else { return false }
    return rest == 0 || (address.bytes[whole] ^ base[whole]) >> UInt8(8 - rest) == 0
  }
}

/// For the tables of this module only; stops the program at a slip of the pen.
extension IPNetwork: ExpressibleByStringLiteral {
  /// Reads what ``init(_:)`` reads.
  package init(stringLiteral text: String) {
    guard let network = IPNetwork(text) else { preconditionFailure("\(text) is no network") }
    self = network
  }
}
