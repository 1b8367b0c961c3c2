import TestSupport
import Testing

@testable import TransportSecurity

/// The sessions against the program of OpenSSL, over loopback.
@Suite(.timeLimit(.minutes(3))) struct OpenSSLProgramTests {
  let folder = TemporaryFolder()

  /// Starts `openssl s_server` for one connection.
  /// - Returns: what the body gives, and what the program has written.
  private func withServer<Result: Sendable>(
    _ certificate: Certificate, _ options: String,
    _ body: @escaping @Sendable (UInt16) throws -> Result
  ) async throws -> (Result, String) {
    let log = "\(folder.path)/s_server"
    async let outcome = Program.run(
      "exec openssl s_server -accept 127.0.0.1:0 -naccept 1 -cert \(certificate.path) "
        + "-key \(certificate.keyPath) \(options) > \(log) 2>&1 "
        // It talks only after the handshake, of which it tells only then.
        + "< <(until grep -q hello \(log) || ! kill -0 $$; do sleep 0.05; done; echo welcome; "
        + "exec tail -f /dev/null --pid=$$)")
    var port: UInt16?
    _ = await eventually(within: .seconds(30)) {
      let line = contents(of: log)?.text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
      port = line?.split(separator: ":").last.flatMap { UInt16($0) }
      return port != nil
    }
    let reached = try #require(port)
    let result = try await offPool { try body(reached) }
    _ = await outcome
    return (result, contents(of: log)?.text ?? "")
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func `talks to openssl s_server`(version: TLSVersion) async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let option = version == .tls12 ? "-tls1_2" : "-tls1_3"
    let (binding, log) = try await withServer(
      certificate,
      "\(option) -servername localhost -cert2 \(certificate.path) -key2 \(certificate.keyPath) "
        + "-keymatexport EXPORTER-Channel-Binding -keymatexportlen 32"
    ) { port -> [UInt8]? in
      let socket = try Loopback.connected(to: port)
      let session = try TLSSession(
        client: .client(trust: .certificates(path: certificate.path)), host: "localhost")
      _ = try session.run(over: socket) { _ in session.isEstablished }
      #expect(session.peerVerification == .trusted && session.version == version)
      #expect(try session.write("hello\n".bytes))
      #expect(try session.run(over: socket) { $0.hasSuffix("\n") } == "welcome\n")
      let binding = session.exporterBinding()
      session.close()
      try socket.send(session.takeCiphertext())
      return binding
    }
    #expect(log.contains("hello") && log.contains("Hostname in TLS extension: \"localhost\""))
    let key = binding?.map { $0.hexadecimal.uppercased() }.joined()
    #expect((key != nil) == (version == .tls13))
    if let key { #expect(log.contains("Keying material: \(key)")) }
  }

  @Test func `lets a person decide about the certificate of openssl s_server`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    _ = try await withServer(certificate, "-rev") { port in
      let socket = try Loopback.connected(to: port)
      let session = try TLSSession(client: .client(), host: "localhost")
      _ = try session.run(over: socket) { _ in session.isEstablished }
      #expect(session.peerVerification.problem == .selfSigned)
      #expect(throws: TLSError.notAccepted) { try session.write("hello\n".bytes) }
      session.acceptPeer()
      #expect(try session.write("hello\n".bytes))
      #expect(try session.run(over: socket) { $0.hasSuffix("\n") } == "olleh\n")
    }
  }

  @Test func `says that a server is too old`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let (error, _) = try await withServer(
      certificate, "-tls1_1 -cipher ALL:@SECLEVEL=0 -rev"
    ) { port in
      let socket = try Loopback.connected(to: port)
      let session = try TLSSession(client: .client(), host: "localhost")
      return #expect(throws: TLSError.self) {
        try session.run(over: socket) { _ in session.isEstablished }
      }
    }
    #expect(error?.code == .noCommonVersion)
  }

  /// Serves one `openssl s_client`, which sends a line, reads one and ends.
  private func serve(
    _ certificate: Certificate, _ options: String, input: String = "hello"
  ) async throws -> (text: String, binding: [UInt8]?, error: TLSError?, output: String) {
    let listener = try Loopback.listening()
    let port = listener.port
    async let outcome = Program.run(
      "exec openssl s_client -connect 127.0.0.1:\(port) -CAfile \(certificate.path) "
        + "-verify_return_error \(options) 2>&1 "
        + "< <(echo \(input); exec tail -f /dev/null --pid=$$)")
    let (text, binding, error) = try await offPool { () -> (String, [UInt8]?, TLSError?) in
      let socket = try listener.accepted()
      let session = TLSSession(
        server: try .server(certificateChainPath: certificate.path, keyPath: certificate.keyPath))
      do {
        let text = try session.run(over: socket) { $0.hasSuffix("\n") }
        #expect(try session.write("welcome\n".bytes))
        session.close()
        try socket.send(session.takeCiphertext())
        return (text, session.exporterBinding(), nil)
      } catch let error as TLSError {
        return ("", nil, error)
      }
    }
    return (text, binding, error, await outcome.text)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `talks to openssl s_client`(option: String) async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let served = try await serve(
      certificate,
      "\(option) -servername localhost -verify_hostname localhost "
        + "-keymatexport EXPORTER-Channel-Binding -keymatexportlen 32")
    #expect(served.text == "hello\n" && served.error == nil)
    #expect(served.output.contains("welcome"))
    #expect(served.output.contains("Compression: NONE"))
    let key = served.binding?.map { $0.hexadecimal.uppercased() }.joined()
    #expect((key != nil) == (option == "-tls1_3"))
    if let key { #expect(served.output.contains("Keying material: \(key)")) }
  }

  @Test func `tells that openssl s_client does not want the certificate`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let served = try await serve(certificate, "-verify_hostname other.example")
    #expect(served.error?.code == .refusedByPeer)
  }

  @Test func `does not speak what is too old`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let served = try await serve(certificate, "-tls1_1 -cipher ALL:@SECLEVEL=0")
    #expect(served.error?.code == .noCommonVersion)
  }

  @Test func `negotiates nothing anew with openssl s_client`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let served = try await serve(certificate, "-tls1_2", input: "R")
    #expect(served.text == "")
    #expect(served.output.contains("no renegotiation"))
  }
}
