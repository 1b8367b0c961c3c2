import Glibc
import Sockets
import Testing

@Suite struct ServiceManagerTests {
  static let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"]

  @Test func `no child takes for its own what was handed over`() async {
    await #expect(processExitsWith: .success) {
      let values = ["1", "2", "front:back", "/nowhere"]
      for (name, value) in zip(ServiceManagerTests.names, values) { setenv(name, value, 1) }
      let manager = try ServiceManager.takeOver()
      #expect(manager.sockets.isEmpty)
      for name in ServiceManagerTests.names { #expect(getenv(name) == nil, "\(name)") }
    }
  }

  @Test func `what is no socket is refused, and nothing is left of it either`() async {
    await #expect(processExitsWith: .success) {
      close(3)
      #expect(open("/dev/null", O_RDONLY) >= 0)
      guard fcntl(3, F_GETFD) >= 0 else { return }
      setenv("LISTEN_PID", String(getpid()), 1)
      setenv("LISTEN_FDS", "1", 1)
      setenv("LISTEN_FDNAMES", "nothing", 1)
      let error = #expect(throws: UnusableSocket.self) { try ServiceManager.takeOver() }
      #expect(error?.descriptor == 3 && error?.name == "nothing")
      #expect(getenv("LISTEN_FDS") == nil)
    }
  }

  @Test(arguments: ["", "0", "-1", "x", "99999999"])
  func `a number that makes no sense is none`(_ count: String) async {
    await #expect(processExitsWith: .success) { [count = count as String] in
      setenv("LISTEN_PID", String(getpid()), 1)
      setenv("LISTEN_FDS", count, 1)
      let manager = try ServiceManager.takeOver()
      #expect(manager.sockets.isEmpty)
    }
  }
}
