import Glibc
import TestSupport
import Testing

@testable import TransportSecurity

@Suite(.timeLimit(.minutes(5))) struct TLSContextTests {
  let folder = TemporaryFolder()

  private func failure(certificate: String, key: String) -> TLSError? {
    #expect(throws: TLSError.self) {
      try TLSContext.server(certificateChainPath: certificate, keyPath: key)
    }
  }

  @Test func `names the file that is not there`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let missing = "\(folder.path)/missing"
    for error in [
      failure(certificate: missing, key: certificate.keyPath),
      failure(certificate: certificate.path, key: missing),
    ] {
      #expect(error?.code == .file && error?.errorNumber == ENOENT && error?.path == missing)
      #expect(error?.description.contains("name the file of the ") == true)
    }
    let folderError = failure(certificate: folder.path, key: certificate.keyPath)
    #expect(folderError?.code == .file && folderError?.path == folder.path)
  }

  @Test func `names the file that holds something else`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let text = folder.write("text", "hello\n")
    #expect(failure(certificate: text, key: certificate.keyPath)?.code == .noCertificate)
    #expect(failure(certificate: certificate.keyPath, key: text)?.code == .noCertificate)
    #expect(failure(certificate: certificate.path, key: text)?.code == .noKey)
    #expect(failure(certificate: certificate.path, key: certificate.path)?.code == .noKey)
  }

  @Test func `tells a key of another certificate`() async throws {
    let one = try await Certificate.selfSigned(in: folder, "one")
    let other = try await Certificate.selfSigned(in: folder, "other")
    let error = failure(certificate: one.path, key: other.keyPath)
    #expect(error?.code == .keyMismatch && error?.path == other.keyPath)
    #expect(error?.reason.contains(one.path) == true)
    let rsa = "\(folder.path)/rsa.key"
    let made = await Program.run("openssl genrsa -out \(rsa) 2048")
    try #require(made.status == 0)
    #expect(failure(certificate: one.path, key: rsa)?.code == .keyMismatch)
  }

  @Test func `asks nobody for the passphrase of a key`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder)
    let locked = "\(folder.path)/locked"
    let outcome = await Program.run(
      "openssl pkey -aes128 -passout pass:secret -in \(certificate.keyPath) -out \(locked)")
    try #require(outcome.status == 0)
    let error = failure(certificate: certificate.path, key: locked)
    #expect(error?.code == .noKey && error?.reason.contains("without passphrase") == true)
  }

  @Test func `warns of a key that others can read, and of an old certificate`() async throws {
    let certificate = try await Certificate.selfSigned(in: folder, day: "2020-01-01")
    chmod(certificate.keyPath, 0o640)
    let context = try TLSContext.server(
      certificateChainPath: certificate.path, keyPath: certificate.keyPath)
    #expect(context.warnings.count == 2)
    #expect(context.warnings.first?.contains("expired") == true)
    #expect(context.warnings.last?.contains("chmod 600") == true)

    let good = try await Certificate.selfSigned(in: folder, "good")
    chmod(good.keyPath, 0o600)
    let other = try TLSContext.server(certificateChainPath: good.path, keyPath: good.keyPath)
    #expect(other.warnings.isEmpty)
  }

  @Test func `tells what is wrong with a file of issuers`() {
    let missing = #expect(throws: TLSError.self) {
      try TLSContext.client(trust: .certificates(path: "\(folder.path)/missing"))
    }
    #expect(missing?.code == .file)
    let text = folder.write("text", "hello\n")
    let error = #expect(throws: TLSError.self) {
      try TLSContext.client(trust: .certificates(path: text))
    }
    #expect(error?.code == .noCertificate)
  }
}
