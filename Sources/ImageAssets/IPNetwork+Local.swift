internal import Glibc

extension IPNetwork {
  /// A mask of fewer bits is no network of one's own, but a way to everywhere.
  private static let fewestBits = 8
  /// Those that the neighbours of a public address of IPv6 share, although the
  /// interface may have but that one (RFC 4291, 2.5.4).
  private static let subnetBits = 64

  /// The networks of this machine's own interfaces, getifaddrs(3).
  static func local() -> [IPNetwork] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    return sequence(first: first) { $0?.pointee.ifa_next }.compactMap { entry in
      guard let pointer = entry?.pointee.ifa_addr, let address = IPAddress(pointer) else {
        return nil
      }
      let mask = entry?.pointee.ifa_netmask.flatMap { IPAddress($0) }
      return local(address, mask: mask)
    }
  }

  /// The network of an address of one's own.
  /// - Parameter mask: one bit for each that its neighbours share; nil where
  ///   nobody knows.
  static func local(_ address: IPAddress, mask: IPAddress?) -> IPNetwork {
    let all = address.bytes.count * 8
    let bits = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? all
    let most = AddressPolicy.globalUnicast.contains(address) ? subnetBits : all
    return IPNetwork(address, prefixInBits: bits < fewestBits ? most : min(bits, most))
  }
}
