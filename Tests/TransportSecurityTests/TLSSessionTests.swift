import TestSupport
import Testing

@testable import TransportSecurity

@Suite(.timeLimit(.minutes(5))) struct TLSSessionTests {
  let folder = TemporaryFolder()

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func `carries text both ways, however the bytes are split`(version: TLSVersion) async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    for size in [1, 2, 5, 1000, Int.max] {
      let pair = try SessionPair(certificate, version: version)
      #expect(!pair.client.isEstablished && pair.client.version == nil)
      try pair.carry(piecesOf: size)
      #expect(pair.client.isEstablished && pair.server.isEstablished)
      #expect(pair.client.version == version && pair.server.version == version)
      #expect(pair.client.peerVerification == .trusted && pair.server.peerVerification == nil)
      #expect(pair.client.cipher != nil)
      #expect(try pair.client.write("안녕\n".bytes))
      #expect(try pair.server.write("hello\n".bytes))
      try pair.carry(piecesOf: size)
      #expect(try pair.server.readText() == "안녕\n")
      #expect(try pair.client.readText() == "hello\n")
      #expect(try pair.client.readAll() == ([], false))
    }
  }

  @Test func `carries more than one record`() async throws {
    let pair = try SessionPair(try await Certificate.selfSigned(in: folder))
    try pair.carry()
    let text = [UInt8](repeating: 0x61, count: 1_000_000)
    #expect(try pair.client.write(text))
    try pair.carry(piecesOf: 1400)
    #expect(try pair.server.readAll().bytes == text)
  }

  @Test func `takes no text before the handshake is finished`() async throws {
    let pair = try SessionPair(try await Certificate.selfSigned(in: folder))
    #expect(try !pair.client.write("early".bytes) && !pair.server.write("early".bytes))
    #expect(try pair.client.readAll() == ([], false))
    try pair.carry()
    #expect(try pair.server.readText() == "")
  }

  @Test func `tells an end that was said from one that was not`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let polite = try SessionPair(certificate)
    try polite.carry()
    #expect(try polite.client.write("last".bytes))
    polite.client.close()
    #expect(try !polite.client.write("later".bytes))
    try polite.carry()
    try polite.server.receiveEnd()
    #expect(try polite.server.readAll() == ("last".bytes, true))
    #expect(try polite.server.write("answer".bytes))
    try polite.carry()
    #expect(try polite.client.readText() == "answer")

    let cut = try SessionPair(certificate)
    try cut.carry()
    #expect(try cut.client.write("last".bytes))
    try cut.carry()
    try cut.server.receiveEnd()
    var buffer = [UInt8](repeating: 0, count: 100)
    #expect(try buffer.withUnsafeMutableBytes { try cut.server.read(into: $0) } == .bytes(4))
    let error = #expect(throws: TLSError.self) { try cut.server.readAll() }
    #expect(error?.code == .cutOff)
  }

  @Test func `tells a handshake that was cut off`() async throws {
    let pair = try SessionPair(try await Certificate.selfSigned(in: folder))
    try pair.server.receive(Array(pair.client.takeCiphertext().prefix(100)))
    let server = #expect(throws: TLSError.self) { try pair.server.receiveEnd() }
    let client = #expect(throws: TLSError.self) { try pair.client.receiveEnd() }
    #expect(server?.code == .cutOff && client?.code == .cutOff)
  }

  @Test(arguments: [
    "{\"type\":\"hello\"}\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "x", "\n", "\0",
    "HTTP/1.1 400 Bad Request\r\n\r\n", "{",
  ])
  func `knows what is no TLS by its first byte`(text: String) async throws {
    let pair = try SessionPair(try await Certificate.selfSigned(in: folder))
    for session in [pair.client, pair.server] {
      let error = #expect(throws: TLSError.self) { try session.receive(text.bytes) }
      #expect(error?.code == .notTLS && error?.reason.contains("does not speak TLS") == true)
      let again = #expect(throws: TLSError.self) { try session.receive([22, 3, 1]) }
      #expect(again == error)
      #expect(throws: try #require(error)) { try session.write("secret".bytes) }
    }
  }

  @Test func `gives nothing that was changed on the way`() async throws {
    var random = SeededRandom(seed: 8446)
    let certificate = try await Certificate.selfSigned(in: folder)
    var failures = 0
    for _ in 0..<(isSoak ? 5000 : 300) {
      let pair = try SessionPair(certificate)
      do {
        // Where a length was changed, one side waits for ever.
        for _ in 0..<3 {
          try pair.server.receive(damaged(pair.client.takeCiphertext(), &random))
          try pair.client.receive(damaged(pair.server.takeCiphertext(), &random))
        }
        _ = try pair.client.write("text".bytes)
        try pair.server.receive(damaged(pair.client.takeCiphertext(), &random))
        #expect(try ["", "text"].contains(pair.server.readText()))
      } catch {
        failures += 1
        #expect(error is TLSError)
      }
    }
    #expect(failures > 100)
  }

  private func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty, random.once(in: 3) else { return bytes }
    let index = Int.random(in: bytes.indices, using: &random)
    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    return bytes
  }

  @Test func `gives both ends the same secret, and each connection another`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    var secrets: Set<[UInt8]> = []
    for _ in 0..<3 {
      let pair = try SessionPair(certificate)
      #expect(pair.client.exporterBinding() == nil && pair.server.exporterBinding() == nil)
      try pair.carry()
      let secret = try #require(pair.client.exporterBinding())
      #expect(secret.count == 32 && pair.server.exporterBinding() == secret)
      secrets.insert(secret)
    }
    #expect(secrets.count == 3)
    let old = try SessionPair(certificate, version: .tls12)
    try old.carry()
    #expect(old.client.exporterBinding() == nil && old.server.exporterBinding() == nil)
  }

  @Test func `lets a login be bound to the connection, and to no other`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let (one, other) = (try SessionPair(certificate), try SessionPair(certificate))
    try one.carry()
    try other.carry()
    let accounts = try Accounts.vector(binding: one.server.exporterBinding())
    let user = try logIn(
      Vector.user, Vector.password, to: accounts, binding: one.client.exporterBinding())
    #expect(user == Vector.user)
    #expect(
      try logIn(
        Vector.user, Vector.password, to: accounts, binding: other.client.exporterBinding()) == nil)
  }
}
