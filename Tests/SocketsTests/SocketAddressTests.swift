import Sockets
import Testing

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("tcp://host:1234", SocketAddress(.host("host", port: "1234"))),
    ("tcp://host", SocketAddress(.host("host", port: "7750"))),
    ("tls://host", SocketAddress(.host("host", port: "7751"), isSecure: true)),
    ("tls://host:1", SocketAddress(.host("host", port: "1"), isSecure: true)),
    ("tcp://[::1]:80", SocketAddress(.host("::1", port: "80"))),
    ("tcp://[::1]", SocketAddress(.host("::1", port: "7750"))),
    ("tcp://::1", SocketAddress(.host("::1", port: "7750"))),
    ("tcp://:80", SocketAddress(.host("", port: "80"))),
    ("tcp://host:0", SocketAddress(.host("host", port: "0"))),
    ("unix:///run/x y", SocketAddress(.path("/run/x y"))),
  ])
  func `addresses are read`(text: String, address: SocketAddress) {
    #expect(SocketAddress(text) == address)
    #expect(SocketAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "host", "host:80", "tcp:host", "tcp://host:port", "tcp://host:70000", "tcp://host:-1",
    "tcp://[::1]80", "tcp://[::1", "unix://relative", "unix://", "http://host", "TCP://host",
    "tcp://host:+80", "tcp://host:٣",
  ])
  func `anything else is none`(text: String) {
    #expect(SocketAddress(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true),
    ("0.0.0.0", false), ("::", false), ("192.0.2.1", false), ("", false),
  ])
  func `only this machine's own addresses are loopback`(host: String, isLoopback: Bool) {
    #expect(Listener.isLoopback(SocketAddress(.host(host, port: "7750"))) == isLoopback)
  }
}
