import TestSupport
import Testing

/// A certificate and its key, in files of a test's own.
struct Certificate: Sendable {
  let path: String
  let keyPath: String

  /// One that is signed by its own key, which `openssl req` makes.
  /// - Parameters:
  ///   - names: as subjectAltName has them.
  ///   - day: when it is made, for two days; nil for now.
  static func selfSigned(
    in folder: TemporaryFolder, _ name: String = "server", names: String = standardNames,
    day: String? = nil
  ) async throws -> Certificate {
    let certificate = Certificate(
      path: "\(folder.path)/\(name).pem", keyPath: "\(folder.path)/\(name).key")
    let clock = day.map { "faketime \(quoted($0)) " } ?? ""
    let outcome = await Program.run(
      """
      \(clock)openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
      -subj /CN=banter -addext subjectAltName=\(names) \
      -keyout \(certificate.keyPath) -out \(certificate.path)
      """)
    try #require(outcome.status == 0, "\(outcome.errorText)")
    return certificate
  }

  static let standardNames = "DNS:localhost,DNS:chat.example,IP:127.0.0.1,IP:::1"

  /// One that is signed by another.
  func signing(in folder: TemporaryFolder, _ name: String = "leaf") async throws -> Certificate {
    let signed = Certificate(
      path: "\(folder.path)/\(name).pem", keyPath: "\(folder.path)/\(name).key")
    let outcome = await Program.run(
      """
      cd \(folder.path) && echo subjectAltName=\(Self.standardNames) > \(name).ext &&
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=leaf \
        -keyout \(signed.keyPath) -out \(name).csr &&
      openssl x509 -req -in \(name).csr -CA \(path) -CAkey \(keyPath) -CAcreateserial -days 2 \
        -extfile \(name).ext -out \(signed.path)
      """)
    try #require(outcome.status == 0, "\(outcome.errorText)")
    return signed
  }
}
