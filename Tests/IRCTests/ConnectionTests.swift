import ChatModel
import TestSupport
import Testing
import Transport

/// The way to the server, over real sockets.
@Suite(.timeLimit(.minutes(2)))
struct ConnectionTests {
  private let folder = TemporaryFolder()

  private func start(
    _ server: RealServer, _ host: String, _ settings: [String: String]
  ) throws -> PluginProcess {
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("ircs://jane@\(host):\(server.port)/#room", settings: settings)
    return plugin
  }

  private func failure(
    _ server: RealServer, host: String = "localhost", _ settings: [String: String] = [:]
  ) async throws -> String {
    try await start(server, host, settings).wait("failure") { $0.fatal.first }
  }

  private func isLetIn(_ server: RealServer, _ settings: [String: String]) async throws -> Bool {
    try await start(server, "localhost", settings).wait("online") { answers in
      answers.contains { if case .state(.online) = $0 { true } else { false } } ? true : nil
    }
  }

  @Test func `speaks TLS with a server that it may trust, and no other`() async throws {
    let certificate = try await TestCertificate.make(in: folder, "server", names: "DNS:localhost")
    let server = try await RealServer.scripted(certificate: certificate)
    // Nobody vouches for it.
    let unknown = try await failure(server)
    #expect(unknown.contains("set pin to "))
    let pin = try #require(unknown.split(separator: " ").last)
    #expect(try await isLetIn(server, ["pin": String(pin)]))
    #expect(try await isLetIn(server, ["issuers": certificate.path]))
    // It is another's.
    let other = try await failure(server, host: "127.0.0.1", ["issuers": certificate.path])
    #expect(other.contains("127.0.0.1"))
    let wrongPin = try await failure(server, ["pin": "00:11"])
    #expect(wrongPin.contains("pin"))
  }

  @Test func `logs in by a certificate of the user's own`() async throws {
    let certificate = try await TestCertificate.make(in: folder, "server", names: "DNS:localhost")
    let server = try await RealServer.scripted(certificate: certificate)
    let settings = [
      "issuers": certificate.path, "certificate": certificate.path, "key": certificate.key,
      "sasl": "EXTERNAL",
    ]
    #expect(try await isLetIn(server, settings))
    // The key of another.
    let other = try await TestCertificate.make(in: folder, "other", names: "DNS:other")
    let error = try await failure(
      server, ["certificate": certificate.path, "key": other.key])
    #expect(error.contains("does not belong"))
  }

  @Test func `says that there is no TLS where there is none`() async throws {
    let server = try await RealServer.scripted(greeting: ":s NOTICE * :hello")
    #expect(try await failure(server).contains("does not speak TLS"))
  }

  @Test func `calls again after a line without end`() async throws {
    let server = try await RealServer.scripted("raw(b':x PRIVMSG #room :' + b'y' * 200000)")
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await plugin.waitForWelcome()
    plugin.say(.join(ref: "j", JoinRequest(room: "#room")))
    let reason = try await plugin.wait("reconnecting") { answers in
      answers.compactMap { answer in
        if case .state(.reconnecting(_, let reason)) = answer { reason.reason } else { nil }
      }.first
    }
    #expect(reason.contains("more than"))
  }

  @Test func `calls again where nobody answers, and says so before it is let in`() async throws {
    let server = try await RealServer.ngircd()
    server.stop()
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    try await plugin.wait("reconnecting") { answers in
      answers.first { if case .state(.reconnecting) = $0 { true } else { false } }
    }
    let again = try await RealServer(like: server)
    try await plugin.join("#room")
    withExtendedLifetime(again) {}
  }

  @Test func `passes a hundred thousand messages on, in order`() async throws {
    let server = try await RealServer.scripted(
      """
      for part in range(100):
          raw("".join(f":u{i % 50}!u@h PRIVMSG #room :{i}\\r\\n"
              for i in range(part * 1000, part * 1000 + 1000)).encode())
      """)
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await plugin.waitForWelcome()
    plugin.say(.join(ref: "j", JoinRequest(room: "#room")))
    try await plugin.wait("all of them", within: .seconds(90)) { $0.count >= 100_000 ? true : nil }
    let texts = plugin.answers.messages.map { $0.split(separator: " ").last.map(String.init) ?? "" }
    #expect(texts == (0..<100_000).map { "\($0)" })
  }

  @Test func `takes a host that says nonsense for what it is`() async throws {
    let server = try await RealServer.ngircd()
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await plugin.waitForWelcome()
    plugin.say(bytes: Array("junk\n{\"type\":\"dance\",\"ref\":\"d\"}\n{\"type\":\"send\"}\n".utf8))
    let classes = try await plugin.wait("errors") { answers in
      answers.errors.count == 3 ? answers.errors.map(\.errorClass) : nil
    }
    #expect(classes == [.invalid, .unsupported, .invalid])
    let other = try PluginProcess("banter-irc")
    other.say(.hello(Hello(versions: [99], client: "x", address: "irc://h/#r", profile: nil)))
    let error = try await other.wait("error") { $0.errors.first }
    #expect(error.errorClass == .unsupported)
    #expect(try await other.waitForEnd() == 0)
  }
}
