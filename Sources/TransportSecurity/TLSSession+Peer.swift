internal import COpenSSL

extension TLSSession {
  /// The version that is spoken; nil before the handshake is finished.
  package var version: TLSVersion? {
    isEstablished ? TLSVersion(number: SSL_version(handle)) : nil
  }

  /// The cipher that is used, by its name in OpenSSL; nil before the handshake
  /// is finished.
  package var cipher: String? {
    guard isEstablished, let name = SSL_CIPHER_get_name(SSL_get_current_cipher(handle)) else {
      return nil
    }
    return String(cString: name)
  }

  /// The SHA-256 of the other side's certificate in DER, as 32 pairs of
  /// hexadecimal digits with colons, as `openssl x509 -fingerprint -sha256`
  /// prints it; nil where it has shown none.
  package var peerFingerprint: String? {
    guard let certificate = SSL_get1_peer_certificate(handle) else { return nil }
    defer { X509_free(certificate) }
    var digest = [UInt8](repeating: 0, count: SHA256.digestBytes)
    guard X509_digest(certificate, EVP_sha256(), &digest, nil) == 1 else { return nil }
    return digest.map { $0.hexadecimal.uppercased() }.joined(separator: ":")
  }

  /// What only the two ends of this connection know (tls-exporter, RFC 9266,
  /// section 2): 32 bytes to which a login is bound; nil before the handshake
  /// is finished, and with TLS 1.2, where it would not be unique without an
  /// extension that not everybody has.
  package func exporterBinding() -> [UInt8]? {
    guard version == .tls13 else { return nil }
    let label = "EXPORTER-Channel-Binding"
    var binding = [UInt8](repeating: 0, count: 32)
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    let result = SSL_export_keying_material(
      handle, &binding, binding.count, label, label.utf8.count, nil, 0, 0)
    return result == 1 ? binding : nil
  }

  /// Asks OpenSSL what it found out about the server in the handshake.
  func verifyPeer() -> PeerVerification? {
    guard let host else { return nil }
    // Without a certificate the result would be "all right".
    guard SSL_get0_peer_certificate(handle) != nil else { return .untrusted(.missing) }
    let result = SSL_get_verify_result(handle)
    guard result != X509_V_OK else { return .trusted }
    return .untrusted(CertificateProblem(result: result, host: host))
  }
}
