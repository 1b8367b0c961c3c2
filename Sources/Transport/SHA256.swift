internal import COpenSSL

/// The digest of bytes that come in parts (FIPS 180-4), by OpenSSL
/// (EVP_DigestInit(3)).
struct SHA256: ~Copyable {
  private let context: OpaquePointer

  init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL has no SHA-256, or there is no memory left")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest as 64 hexadecimal digits; nothing may be added afterwards.
  mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return digest.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
