internal import COpenSSL

/// The keys that a password gives (RFC 5802, section 3).
struct ScramKeys {
  /// Proves that one knows the password: as good as the password itself.
  let clientKey: SecretBytes
  let storedKey: [UInt8]
  let serverKey: [UInt8]

  /// Takes a time that grows with the iterations: some 0.4 s for a million.
  init(password: SecretBytes, salt: [UInt8], iterations: Int) {
    let salted = SecretBytes(count: SHA256.digestBytes) { salted in
      let result = password.withBytes { password in
        PKCS5_PBKDF2_HMAC(
          password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(password.count),
          salt, Int32(salt.count), Int32(iterations), EVP_sha256(), Int32(salted.count),
          salted.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
      precondition(result == 1, "OpenSSL has no PBKDF2, or there is no memory left")
    }
    var key = salted.withBytes { authenticationCode(of: Array("Client Key".utf8), key: $0) }
    clientKey = SecretBytes(count: key.count) { $0.copyBytes(from: key) }
    wipe(&key)
    storedKey = clientKey.withBytes(SHA256.digest(of:))
    serverKey = salted.withBytes { authenticationCode(of: Array("Server Key".utf8), key: $0) }
  }

  /// What the client sends to show that it knows the password.
  func proof(of exchange: [UInt8]) -> [UInt8] {
    let signature = authenticationCode(of: exchange, key: storedKey)
    return clientKey.withBytes { key in zip(key, signature).map { $0 ^ $1 } }
  }
}
