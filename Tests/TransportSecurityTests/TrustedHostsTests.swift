import Glibc
import TestSupport
import Testing

@testable import TransportSecurity

@Suite(.timeLimit(.minutes(5))) struct TrustedHostsTests {
  let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/deep/trusted" }
  private var hosts: TrustedHosts { TrustedHosts(path: path) }

  private func text() -> String { contents(of: path)?.text ?? "" }

  @Test func `knows what was trusted, by host and port`() throws {
    #expect(try hosts.lookUp(host: "a.example", port: 1, fingerprint: "AA:BB") == .unknown)
    try hosts.trust(host: "A.example", port: 1, fingerprint: "AA:BB")
    #expect(try hosts.lookUp(host: "a.EXAMPLE", port: 1, fingerprint: "AA:BB") == .same)
    #expect(
      try hosts.lookUp(host: "a.example", port: 1, fingerprint: "AA:CC") == .changed(old: "AA:BB"))
    #expect(try hosts.lookUp(host: "a.example", port: 2, fingerprint: "AA:BB") == .unknown)
    #expect(try hosts.lookUp(host: "b.example", port: 1, fingerprint: "AA:BB") == .unknown)
    try hosts.trust(host: "::1", port: 1, fingerprint: "00:11")
    #expect(text() == "a.example:1 sha256:AA:BB\n[::1]:1 sha256:00:11\n")
  }

  @Test func `replaces and forgets a certificate, and leaves other lines alone`() throws {
    mkdir("\(folder.path)/deep", 0o700)
    folder.write("deep/trusted", "# mine\na:1 sha256:AA\nb:1 sha256:BB\nc:1 sha999:CC\n")
    try hosts.trust(host: "a", port: 1, fingerprint: "AB")
    #expect(text() == "# mine\nb:1 sha256:BB\nc:1 sha999:CC\na:1 sha256:AB\n")
    try hosts.forget(host: "b", port: 1)
    #expect(text() == "# mine\nc:1 sha999:CC\na:1 sha256:AB\n")
    #expect(try hosts.lookUp(host: "c", port: 1, fingerprint: "CC") == .unknown)
  }

  @Test func `keeps its file to its owner`() throws {
    try hosts.trust(host: "a", port: 1, fingerprint: "AA")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat("\(folder.path)/deep", &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func `writes through a link`() throws {
    symlink("\(folder.path)/real", "\(folder.path)/link")
    folder.write("real", "")
    try TrustedHosts(path: "\(folder.path)/link").trust(host: "a", port: 1, fingerprint: "AA")
    #expect(contents(of: "\(folder.path)/real")?.text == "a:1 sha256:AA\n")
  }

  @Test func `never takes a file that it cannot read for an empty one`() throws {
    let hosts = TrustedHosts(path: folder.path)
    let error = #expect(throws: TLSError.self) {
      try hosts.lookUp(host: "a", port: 1, fingerprint: "AA")
    }
    #expect(error?.code == .file && error?.path == folder.path)
    #expect(throws: TLSError.self) { try hosts.trust(host: "a", port: 1, fingerprint: "AA") }
  }

  @Test func `shows nothing of a damaged line that could act on a terminal`() throws {
    mkdir("\(folder.path)/deep", 0o700)
    folder.write("deep/trusted", "a:1 sha256:AA\u{1b}[2J:bb\n")
    #expect(
      try hosts.lookUp(host: "a", port: 1, fingerprint: "AA") == .changed(old: "AA2:BB"))
  }

  @Test func `loses no line when several write at once`() async throws {
    let hosts = hosts
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<15 {
            try hosts.trust(host: "h\(writer)", port: UInt16(number), fingerprint: "AA")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(text().split(separator: "\n").count == 60)
  }
}
