import Testing

@testable import ImageAssets

struct AddressPolicyTests {
  private func verdict(
    _ text: String, _ policy: AddressPolicy = AddressPolicy()
  ) throws -> AddressPolicy.Verdict {
    policy.verdict(on: try #require(IPAddress(text)))
  }

  private func isAllowed(_ text: String, _ policy: AddressPolicy = AddressPolicy()) throws -> Bool {
    try verdict(text, policy) == .allowed
  }

  static let everyones = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
    "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "168.63.129.15", "168.63.129.17", "203.0.112.255", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8",
    "2002:808:808::1",
  ]

  static let own = [
    "127.0.0.1", "127.255.255.255", "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255",
    "192.168.0.1", "192.168.255.255", "100.64.0.0", "100.127.255.255", "169.254.169.254",
    "::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "::ffff:127.0.0.1",
    "::ffff:10.1.2.3", "::127.0.0.1", "64:ff9b::192.168.0.1", "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::", "2002:c0a8:1::1", "168.63.129.16", "::ffff:168.63.129.16",
  ]

  static let nobodys = [
    "0.0.0.0", "0.255.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1",
    "198.19.255.255", "198.51.100.1", "203.0.113.255", "224.0.0.1", "239.255.255.255",
    "240.0.0.1", "255.255.255.255", "::", "ff02::1", "ff0e::1", "2001::1", "2001:db8::1",
    "3fff::1", "4000::1", "100::1", "64:ff9b:1::1", "5f00::1", "::ffff:0.0.0.0",
    "::ffff:255.255.255.255", "64:ff9b::224.0.0.1", "2002:e000:1::1", "::ffff:0:808:808",
  ]

  @Test(arguments: everyones)
  func `allows what is on the public Internet`(_ address: String) throws {
    #expect(try isAllowed(address))
  }

  @Test(arguments: own)
  func `refuses this machine and networks of one's own unless they are wanted`(
    _ address: String
  ) throws {
    #expect(try verdict(address) == .isPrivate)
    #expect(try isAllowed(address, AddressPolicy(allowsPrivate: true)))
  }

  @Test(arguments: nobodys)
  func `refuses where no server is, whatever is wanted`(_ address: String) throws {
    #expect(try verdict(address) == .isUseless)
    #expect(try verdict(address, AddressPolicy(allowsPrivate: true)) == .isUseless)
  }

  @Test(arguments: [
    ("8.8.4.4", "255.255.255.0", ["8.8.4.4", "8.8.4.255", "::ffff:8.8.4.1"], ["8.8.5.0"]),
    ("8.8.4.4", "255.255.255.255", ["8.8.4.4"], ["8.8.4.5"]),
    ("8.8.4.4", "0.0.0.0", ["8.8.4.4"], ["8.8.4.5", "1.1.1.1"]),
    ("2606:4700::1", "ffff:ffff:ffff:ffff::", ["2606:4700::2:1"], ["2606:4700:0:1::1"]),
    // By DHCP a machine gets one address, and its neighbours get the others.
    (
      "2606:4700::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["2606:4700::ffff:1"],
      ["2606:4700:0:1::1"]
    ),
    ("::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["::1"], []),
    ("2606:4700::1", "::", ["2606:4700::ffff:1"], ["2606:4700:0:1::1"]),
  ])
  func `a public address of one's own is private, and so are its neighbours`(
    address: String, mask: String, own: [String], others: [String]
  ) throws {
    var policy = AddressPolicy()
    let (address, mask) = (try #require(IPAddress(address)), IPAddress(mask))
    policy.localNetworks = [.local(address, mask: mask)]
    for address in own { #expect(try verdict(address, policy) == .isPrivate, "\(address)") }
    for address in others { #expect(try verdict(address, policy) == .allowed, "\(address)") }
    policy.allowsPrivate = true
    for address in own { #expect(try isAllowed(address, policy)) }
  }

  @Test func `knows the networks of this machine's interfaces`() throws {
    let networks = IPNetwork.local()
    let (near, far) = (try #require(IPAddress("127.0.0.9")), try #require(IPAddress("1.1.1.1")))
    #expect(networks.contains { $0.contains(near) } && !networks.contains { $0.contains(far) })
    var policy = AddressPolicy(allowsPrivate: true)
    policy.localNetworks = networks
    #expect(try verdict("::", policy) == .isUseless)
  }

  @Test(arguments: [
    "", "1.2.3", "127.1", "0x7f.0.0.1", "01.2.3.4", "1.2.3.4.5", "1.2.3.4 ", "[::1]", "fe80::1%lo",
    "::1\0", "localhost",
  ])
  func `reads no address where none is`(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: ["1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/", "/8", "::/129", "1.2.3.4/8/8", "x"])
  func `reads no network where none is`(_ text: String) {
    #expect(IPNetwork(text) == nil)
  }
}
