internal import COpenSSL

/// The digest of bytes that come in parts (FIPS 180-4), by OpenSSL
/// (EVP_DigestInit(3)).
package struct SHA256: ~Copyable {
  /// How long a digest is.
  package static let digestBytes = 32

  private let context: OpaquePointer

  /// Begins a digest; stops the program where OpenSSL has none.
  package init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL has no SHA-256, or there is no memory left")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Adds bytes behind those that have been added.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// The digest as 64 hexadecimal digits; nothing may be added afterwards.
  package mutating func finish() -> String {
    finishBytes().map(\.hexadecimal).joined()
  }

  /// The same as 32 bytes.
  package mutating func finishBytes() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.digestBytes)
    EVP_DigestFinal_ex(context, &digest, nil)
    return digest
  }

  /// The digest of bytes that are all there.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finishBytes()
  }
}

extension SHA256 {
  /// Whether a text is a digest as ``finish()`` writes it.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

extension UInt8 {
  /// Two hexadecimal digits, in small letters.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }
}
