internal import ChatModel
internal import TransportSecurity

/// The bytes in a `data:` address (RFC 2397).
package enum DataAddress {
  /// What stands before the comma does not count, but for `;base64`.
  /// - Throws: that it is no such address, or too large.
  package static func bytes(of address: String, limits: ImageLimits) throws(ImageFailure) -> [UInt8]
  {
    let text = Array(address.utf8)
    guard text.count > 5, let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      throw .badAddress
    }
    // Each byte is written as three at most, and percent signs as three again.
    guard text.count / 9 <= limits.fileBytes else {
      throw .tooLarge(limitInBytes: limits.fileBytes)
    }
    let kind = String(decoding: text[5..<max(5, comma)], as: UTF8.self).lowercased()
    guard let plain = percentDecoded(text[(comma + 1)...]) else { throw .badAddress }
    guard let bytes = kind.hasSuffix(";base64") ? base64Decoded(plain) : plain else {
      throw .badAddress
    }
    guard bytes.count <= limits.fileBytes else { throw .tooLarge(limitInBytes: limits.fileBytes) }
    return bytes
  }

  /// Blanks are passed over, and padding may be missing, as in browsers.
  private static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
    var text = text.filter { ![0x09, 0x0a, 0x0c, 0x0d, 0x20].contains($0) }
    text += Array(repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    return Base64.decode(text)
  }
}
