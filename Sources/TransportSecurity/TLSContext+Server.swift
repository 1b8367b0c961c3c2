internal import COpenSSL
internal import Glibc

extension TLSContext {
  /// A context of a server.
  /// - Parameters:
  ///   - certificateChainPath: a file in PEM form: the server's certificate,
  ///     then those of its issuers.
  ///   - keyPath: the file of its private key in PEM form, without passphrase.
  ///   - newest: the newest version that is spoken.
  /// - Throws: ``TLSError`` that names the file which is missing, unreadable,
  ///   or something else, and the key that belongs to another certificate.
  package static func server(
    certificateChainPath: String, keyPath: String, newest: TLSVersion = .tls13
  ) throws(TLSError) -> TLSContext {
    let handle = make(TLS_server_method(), newest: newest)
    do throws(TLSError) {
      copenssl_set_server_options(handle)
      // OpenSSL would ask on the terminal, which belongs to others.
      SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in 0 }
      try loadCertificate(certificateChainPath, into: handle)
      try loadKey(keyPath, of: certificateChainPath, into: handle)
    } catch {
      SSL_CTX_free(handle)
      throw error
    }
    let warnings =
      expiryWarning(of: handle, path: certificateChainPath) + modeWarning(keyPath: keyPath)
    return TLSContext(handle, isServer: true, warnings: warnings)
  }

  static func loadCertificate(_ path: String, into handle: OpaquePointer) throws(TLSError) {
    try requireReadable(path, advice: "name the file of the certificate")
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    guard SSL_CTX_use_certificate_chain_file(handle, path) == 1 else {
      let said = OpenSSLErrors.take().text
      throw TLSError(
        .noCertificate, path: path,
        "there is no certificate in it that can be used (\(said)); name a file in PEM form")
    }
  }

  static func loadKey(
    _ path: String, of certificatePath: String, into handle: OpaquePointer
  ) throws(TLSError) {
    try requireReadable(path, advice: "name the file of the certificate's private key")
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    // A key of another kind than the certificate's is only found by the check.
    guard
      SSL_CTX_use_PrivateKey_file(handle, path, SSL_FILETYPE_PEM) != 1
        || SSL_CTX_check_private_key(handle) != 1
    else { return }
    let errors = OpenSSLErrors.take()
    if errors.contains(SSL_R_NO_CERTIFICATE_ASSIGNED, of: ERR_LIB_SSL)
      || errors.contains(X509_R_KEY_VALUES_MISMATCH, of: ERR_LIB_X509)
      || errors.contains(X509_R_KEY_TYPE_MISMATCH, of: ERR_LIB_X509)
    {
      throw TLSError(
        .keyMismatch, path: path,
        "the key does not belong to the certificate in \(certificatePath); name the two that were "
          + "made together")
    }
    throw TLSError(
      .noKey, path: path,
      "there is no private key in it that can be used (\(errors.text)); name a file in PEM form, "
        + "without passphrase (openssl pkey removes one)")
  }

  /// Throws where a file cannot be opened, in the system's words.
  static func requireReadable(_ path: String, advice: String) throws(TLSError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno, path: path, advice) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno, path: path, advice) }
    // A pipe, such as <(...) of a shell, could be read only once.
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw TLSError(.file, path: path, "this is no regular file; \(advice)")
    }
  }

  private static func modeWarning(keyPath: String) -> [String] {
    var status = stat()
    guard stat(keyPath, &status) == 0, status.st_mode & 0o077 != 0 else { return [] }
    return ["\(keyPath): others on this machine may read or change the key; chmod 600 the file"]
  }

  private static func expiryWarning(of handle: OpaquePointer, path: String) -> [String] {
    guard let certificate = SSL_CTX_get0_certificate(handle),
      X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0
    else { return [] }
    return ["\(path): the certificate has expired, and clients will not trust it; make a new one"]
  }
}
