internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104), by OpenSSL (HMAC(3)): 32 bytes.
func authenticationCode(of message: [UInt8], key: UnsafeRawBufferPointer) -> [UInt8] {
  var code = [UInt8](repeating: 0, count: SHA256.digestBytes)
  let result = HMAC(
    EVP_sha256(), key.baseAddress, Int32(key.count), message, message.count, &code, nil)
  precondition(result != nil, "OpenSSL has no HMAC, or there is no memory left")
  return code
}

/// The same with a key that is no secret of a person's.
func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
  key.withUnsafeBytes { authenticationCode(of: message, key: $0) }
}

/// Bytes that nobody can foretell (RAND_bytes(3)).
package func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  precondition(RAND_bytes(&bytes, Int32(count)) == 1, "OpenSSL has no randomness")
  return bytes
}

/// Whether two keys are the same, in a time that does not tell where they
/// differ (CRYPTO_memcmp(3)); how long they are is no secret.
func areEqualInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
}

/// The bits that differ, of two keys of one length.
func exclusiveOr(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
  zip(one, other).map { $0 ^ $1 }
}
