internal import COpenSSL

/// What all connections of one side have in common: certificate, key, roots and
/// options (SSL_CTX_new(3)).
///
/// May be used from any thread: OpenSSL counts who refers to a context
/// atomically, and nothing changes it once it is made, which is why it is
/// Sendable without a check (openssl-threads(7)).
package final class TLSContext: @unchecked Sendable {
  /// Which issuers a client trusts.
  package enum Trust: Hashable, Sendable {
    /// Those of the system, or of `SSL_CERT_FILE` and `SSL_CERT_DIR`
    /// (SSL_CTX_set_default_verify_paths(3)).
    case system
    /// Those in a file of PEM certificates, and no others.
    case certificates(path: String)
  }

  let handle: OpaquePointer
  let isServer: Bool
  /// What is unsafe about a server's files, but does not keep it from serving;
  /// a sentence each.
  package let warnings: [String]

  init(_ handle: OpaquePointer, isServer: Bool, warnings: [String] = []) {
    self.handle = handle
    self.isServer = isServer
    self.warnings = warnings
  }

  deinit {
    SSL_CTX_free(handle)
  }

  /// A context of a client.
  /// - Parameters:
  ///   - identity: the files of one's own certificate, with those of its
  ///     issuers, and of its private key, in PEM form, for a server that asks
  ///     who calls.
  ///   - newest: the newest version that is spoken.
  /// - Throws: ``TLSError`` where the file of issuers, of the certificate or
  ///   of the key cannot be used.
  package static func client(
    trust: Trust = .system, identity: (certificate: String, key: String)? = nil,
    newest: TLSVersion = .tls13
  ) throws(TLSError) -> TLSContext {
    let context = TLSContext(make(TLS_client_method(), newest: newest), isServer: false)
    // The handshake is finished in any case, so that people can be asked about
    // a certificate; TLSSession sends no data before they have answered.
    SSL_CTX_set_verify(context.handle, SSL_VERIFY_NONE, nil)
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    if let identity {
      // OpenSSL would ask on the terminal, which belongs to others.
      SSL_CTX_set_default_passwd_cb(context.handle) { _, _, _, _ in 0 }
      try loadCertificate(identity.certificate, into: context.handle)
      try loadKey(identity.key, of: identity.certificate, into: context.handle)
    }
    switch trust {
    case .system:
      // Without any roots, every certificate is of an unknown issuer.
      SSL_CTX_set_default_verify_paths(context.handle)
    case .certificates(let path):
      try requireReadable(path, advice: "name a file of trusted certificates in PEM form")
      guard SSL_CTX_load_verify_file(context.handle, path) == 1 else {
        throw TLSError(
          .noCertificate, path: path, "there is no certificate in it; name a file in PEM form")
      }
    }
    return context
  }

  /// A new context with what both sides have in common.
  static func make(_ method: OpaquePointer?, newest: TLSVersion) -> OpaquePointer {
    OpenSSLErrors.clear()
    guard let handle = SSL_CTX_new(method),
      copenssl_set_versions(handle, TLSVersion.tls12.number, newest.number) == 1
    else { preconditionFailure("OpenSSL has no TLS, or there is no memory left") }
    copenssl_set_common_options(handle)
    return handle
  }
}
