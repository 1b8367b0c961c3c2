import Testing

@testable import TransportSecurity

/// A client and a server in memory, between which the test carries the bytes.
final class SessionPair {
  let client: TLSSession
  let server: TLSSession

  init(
    _ certificate: Certificate, trust: TLSContext.Trust? = nil, host: String = "localhost",
    version: TLSVersion = .tls13
  ) throws {
    let trust = trust ?? .certificates(path: certificate.path)
    client = try TLSSession(client: .client(trust: trust, newest: version), host: host)
    server = TLSSession(
      server: try .server(certificateChainPath: certificate.path, keyPath: certificate.keyPath))
  }

  /// Carries what waits on both sides, in pieces of `size` bytes, until
  /// nothing waits any more.
  func carry(piecesOf size: Int = .max) throws {
    while true {
      let up = client.takeCiphertext()
      for piece in up.pieces(of: size) { try server.receive(piece) }
      let down = server.takeCiphertext()
      for piece in down.pieces(of: size) { try client.receive(piece) }
      if up.isEmpty && down.isEmpty { return }
    }
  }
}

extension [UInt8] {
  func pieces(of size: Int) -> [[UInt8]] {
    guard count > size else { return isEmpty ? [] : [self] }
    return stride(from: 0, to: count, by: size).map { Array(self[$0...].prefix(size)) }
  }
}

extension TLSSession {
  /// All plaintext that is there, and whether the other side has closed.
  func readAll() throws -> (bytes: [UInt8], isClosed: Bool) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      switch try buffer.withUnsafeMutableBytes({ try read(into: $0) }) {
      case .bytes(let count): bytes += buffer.prefix(count)
      case .wouldBlock: return (bytes, false)
      case .closed: return (bytes, true)
      }
    }
  }

  func readText() throws -> String { try readAll().bytes.text }
}

extension PeerVerification? {
  var problem: CertificateProblem.Code? {
    if case .untrusted(let problem) = self { problem.code } else { nil }
  }
}
