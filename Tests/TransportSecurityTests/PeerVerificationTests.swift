import TestSupport
import Testing

@testable import TransportSecurity

@Suite(.timeLimit(.minutes(5))) struct PeerVerificationTests {
  let folder = TemporaryFolder()

  private func established(
    _ certificate: Certificate, trust: TLSContext.Trust? = nil, host: String = "localhost",
    version: TLSVersion = .tls13
  ) throws -> SessionPair {
    let pair = try SessionPair(certificate, trust: trust, host: host, version: version)
    try pair.carry()
    #expect(pair.client.isEstablished)
    return pair
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "chat.example", "chat.example.", "127.0.0.1", "::1", "::1%lo",
  ])
  func `trusts a certificate that has the host's name`(host: String) async throws {
    let pair = try established(try await .selfSigned(in: folder), host: host)
    #expect(pair.client.peerVerification == .trusted && pair.client.isAccepted)
  }

  @Test(arguments: ["example", "other.example", "x.chat.example", "127.0.0.2", "::2", "localhos"])
  func `does not trust the certificate of another host`(host: String) async throws {
    let pair = try established(try await .selfSigned(in: folder), host: host)
    #expect(pair.client.peerVerification.problem == .wrongName)
  }

  @Test(arguments: ["", ".", "a b", "호스트", "localhost\0.example", "a\n"])
  func `refuses a name that no host has`(host: String) throws {
    let error = #expect(throws: TLSError.self) {
      try TLSSession(client: .client(), host: host)
    }
    #expect(error?.code == .invalidHost)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func `tells what is wrong with a certificate`(version: TLSVersion) async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let selfSigned = try established(certificate, trust: .system, version: version)
    #expect(selfSigned.client.peerVerification.problem == .selfSigned)

    let leaf = try await certificate.signing(in: folder)
    let known = try established(
      leaf, trust: .certificates(path: certificate.path), version: version)
    #expect(known.client.peerVerification == .trusted)
    let unknown = try established(leaf, trust: .system, version: version)
    #expect(unknown.client.peerVerification.problem == .unknownIssuer)

    let old = try await Certificate.selfSigned(in: folder, "old", day: "2020-01-01")
    let expired = try established(old, version: version)
    #expect(expired.client.peerVerification.problem == .expired)
    let new = try await Certificate.selfSigned(in: folder, "new", day: "2090-01-01")
    let early = try established(new, version: version)
    #expect(early.client.peerVerification.problem == .notYetValid)
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func `sends nothing to a server before it is accepted`(version: TLSVersion) async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let pair = try established(certificate, trust: .system, version: version)
    #expect(!pair.client.isAccepted)
    #expect(throws: TLSError.notAccepted) { try pair.client.write("secret".bytes) }
    #expect(pair.client.takeCiphertext().isEmpty)
    // Nor is a word of it taken.
    #expect(try pair.server.write("welcome".bytes))
    try pair.carry()
    #expect(try pair.client.readAll() == ([], false))

    pair.client.acceptPeer()
    #expect(try pair.client.readText() == "welcome")
    #expect(try pair.client.write("secret".bytes))
    try pair.carry()
    #expect(try pair.server.readText() == "secret")
  }

  @Test func `names a certificate as openssl does`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let pair = try established(certificate, trust: .system)
    let said = await Program.run(
      "openssl x509 -in \(certificate.path) -noout -fingerprint -sha256")
    let fingerprint = try #require(pair.client.peerFingerprint)
    #expect(said.lines.first?.hasSuffix("=\(fingerprint)") == true)
    #expect(pair.server.peerFingerprint == nil)
  }

  @Test func `notices that a certificate has changed`() async throws {
    let hosts = TrustedHosts(path: "\(folder.path)/trusted")
    func meet(_ certificate: Certificate) throws -> (TrustedHosts.Answer, String) {
      let pair = try established(certificate, trust: .system)
      let fingerprint = try #require(pair.client.peerFingerprint)
      return (
        try hosts.lookUp(host: "localhost", port: 7751, fingerprint: fingerprint), fingerprint
      )
    }
    let first = try await Certificate.selfSigned(in: folder, "first")
    let (answer, fingerprint) = try meet(first)
    #expect(answer == .unknown)
    try hosts.trust(host: "localhost", port: 7751, fingerprint: fingerprint)
    #expect(try meet(first).0 == .same)
    let second = try await Certificate.selfSigned(in: folder, "second")
    #expect(try meet(second).0 == .changed(old: fingerprint))
  }
}
