import TestSupport
import Testing

@testable import NATS

extension Clusters {
  /// `banter-nats` with servers that have certificates.
  @Suite(.timeLimit(.minutes(5)))
  struct ClusterTLSTests {
    /// A folder with an issuer and a certificate of his for a name.
    /// - Parameter clock: what the issuer's clock says, as faketime(1) takes it.
    private func certificates(
      for name: String, clock: String = "+0"
    ) async throws -> TemporaryFolder {
      let folder = TemporaryFolder()
      let made = await Program.run(
        """
        cd \(quoted(folder.path))
        openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=issuer -days 2 -keyout ca.key -out ca.pem \\
          && openssl req -newkey rsa:2048 -nodes -subj /CN=server -keyout key.pem -out request.pem \\
          && faketime -f \(quoted(clock)) openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
            -extfile <(echo subjectAltName=\(name)) -out cert.pem
        """)
      try #require(made.status == 0, "\(made.errorText)")
      return folder
    }

    private func secured(_ folder: TemporaryFolder) async throws -> NATSCluster {
      try await NATSCluster(
        size: 1,
        extra: """
          tls { cert_file: "\(folder.path)/cert.pem", key_file: "\(folder.path)/key.pem" }
          """)
    }

    private func caller(
      _ cluster: NATSCluster, scheme: String = "nats+tls", issuers: String?
    ) async throws -> PluginProcess {
      let plugin = try PluginProcess("banter-nats")
      plugin.hello(
        "\(scheme)://\(cluster.servers)/tea", settings: issuers.map { ["issuers": $0] } ?? [:])
      return plugin
    }

    @Test func `over TLS one talks with the server that is meant only`() async throws {
      let right = try await certificates(for: "IP:127.0.0.1")
      let cluster = try await secured(right)
      let trusting = try await caller(cluster, issuers: "\(right.path)/ca.pem")
      _ = try await trusting.wait("online") { $0.isOnline }
      // Nobody vouches for it; it is another's; it is not wanted at all.
      let unknown = try await caller(cluster, issuers: nil)
      #expect(
        try await unknown.wait("end") { $0.fatalReason }.contains("plugins.nats.issuers names"))
      let plain = try await caller(cluster, scheme: "nats", issuers: nil)
      let reason = try await plain.wait("end") { $0.fatalReason }
      #expect(reason.contains("write nats+tls://") && !reason.contains(".c:"), "\(reason)")
      let wrong = try await certificates(for: "DNS:other.example")
      let other = try await secured(wrong)
      let fooled = try await caller(other, issuers: "\(wrong.path)/ca.pem")
      #expect(try await fooled.wait("end") { $0.fatalReason } != "")
      #expect(fooled.answers.isOnline == nil)
    }

    @Test(arguments: [("-5d", "expired"), ("+5d", "not yet valid")])
    func `a certificate that is not for this day is told`(
      _ clock: String, _ reason: String
    ) async throws {
      let folder = try await certificates(for: "IP:127.0.0.1", clock: clock)
      let cluster = try await secured(folder)
      let plugin = try await caller(cluster, issuers: "\(folder.path)/ca.pem")
      let told = try await plugin.wait("end") { $0.fatalReason }
      #expect(told.contains("certificate") && told.contains(reason), "\(told)")
      #expect(plugin.answers.isOnline == nil)
    }
  }
}
