/// The attributes of a message, in order (RFC 5802, section 5.1 and 7).
struct ScramMessage {
  /// More than a name, nonces and a proof of sensible lengths need.
  static let maximumBytes = 4096
  private static let comma = UInt8(ascii: ",")
  private static let equals = UInt8(ascii: "=")

  /// What stands between the commas; one at least.
  let fields: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) throws(ScramError) {
    guard bytes.count <= Self.maximumBytes else { throw .malformed("is too long") }
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw .malformed("is no text")
    }
    fields = bytes.split(separator: Self.comma, omittingEmptySubsequences: false)
  }

  /// The value of the attribute that must stand at `index`.
  func value(_ name: Unicode.Scalar, at index: Int) throws(ScramError) -> ArraySlice<UInt8> {
    guard fields.indices.contains(index) else { throw .malformed("ends too early") }
    guard let value = Self.value(name, of: fields[index]), !value.isEmpty else {
      throw .malformed("has no “\(name)=” where it belongs")
    }
    return value
  }

  /// Refuses an extension that must be known at `index`, where all those that
  /// RFC 5802 allows stand.
  func refuseDemand(at index: Int) throws(ScramError) {
    if fields.indices.contains(index), Self.value("m", of: fields[index]) != nil {
      throw .extensionDemanded
    }
  }

  /// Passes over extensions that need not be known, which must look like some.
  func passOver(_ range: Range<Int>) throws(ScramError) {
    for field in fields[range] {
      guard let name = field.first, Self.isLetter(name), field.dropFirst().first == Self.equals,
        field.count > 2
      else { throw .malformed("has something in it that is no attribute") }
      if name == UInt8(ascii: "m") { throw .extensionDemanded }
      guard !"aceinprsv".utf8.contains(name) else {
        throw .malformed("has an attribute where it does not belong")
      }
    }
  }

  /// Checks that a nonce is printable (RFC 5802, section 7), and no longer
  /// than anybody needs.
  static func requireNonce(_ nonce: ArraySlice<UInt8>) throws(ScramError) {
    guard nonce.count <= 512, nonce.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .malformed("has a nonce that is none")
    }
  }

  private static func value(
    _ name: Unicode.Scalar, of field: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard field.first == UInt8(ascii: name), field.dropFirst().first == equals else { return nil }
    return field.dropFirst(2)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
