internal import COpenSSL

/// Bytes of a password or a key, overwritten when nobody needs them any more
/// (OPENSSL_cleanse(3)).
///
/// A `String` that they came from cannot be overwritten, nor can what the
/// optimiser keeps in registers; this shortens how long the rest lies about.
/// Sendable without a check because nothing changes the bytes between `init`
/// and `deinit`.
final class SecretBytes: @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer

  /// Bytes that `fill` writes; they are zero before.
  init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    storage = .allocate(byteCount: count, alignment: 1)
    storage.initializeMemory(as: UInt8.self, repeating: 0)
    fill(storage)
  }

  /// The UTF-8 of a text.
  convenience init(_ text: String) {
    let utf8 = text.utf8
    self.init(count: utf8.count) { $0.copyBytes(from: utf8) }
  }

  deinit {
    OPENSSL_cleanse(storage.baseAddress, storage.count)
    storage.deallocate()
  }

  /// The bytes, which must not leave the closure.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(storage))
  }
}

/// Overwrites the bytes of an array that nobody else holds, and empties it.
func wipe(_ bytes: inout [UInt8]) {
  bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  bytes = []
}
