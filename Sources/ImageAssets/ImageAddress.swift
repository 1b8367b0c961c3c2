/// The address of an image on the web (RFC 3986), read strictly.
///
/// What is passed on is put together anew from what was understood, so that
/// nobody understands it in another way.
package struct ImageAddress: Hashable, Sendable {
  private static let limitInBytes = 8_192

  /// A name, or an IP address without brackets.
  let host: String
  let port: UInt16
  /// In ASCII, without a fragment.
  let text: String

  /// Whether a text is an address from which an image can be fetched.
  package static func isOfWeb(_ text: String) -> Bool { ImageAddress(text) != nil }

  /// Whether a text begins as such an address, whatever follows.
  package static func begins(_ text: String) -> Bool { scheme(of: Array(text.utf8)) != nil }

  /// Whether a text is such an address with a host in other letters than ASCII's,
  /// which has another form (RFC 5890, 2.3.2.1).
  static func hasForeignHost(_ text: String) -> Bool {
    guard let (scheme, _) = scheme(of: Array(text.utf8)) else { return false }
    let authority = text.utf8.dropFirst(scheme.utf8.count + 3).prefix { !"/?#".utf8.contains($0) }
    return authority.contains { $0 >= 0x80 }
  }

  /// Nil for anything but `http` and `https`, for user names in an address,
  /// and for a host that is neither a name in ASCII nor an address.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limitInBytes, let (scheme, port) = Self.scheme(of: bytes) else {
      return nil
    }
    let rest = bytes[(scheme.utf8.count + 3)...]
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard let place = Self.place(authority, standardPort: port),
      let path = Self.path(rest[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") })
    else { return nil }
    (host, self.port) = place
    let shownHost = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let shownPort = self.port == port ? "" : ":\(self.port)"
    self.text = "\(scheme)://\(shownHost)\(shownPort)\(path)"
  }

  private static func scheme(of bytes: [UInt8]) -> (String, UInt16)? {
    for (scheme, port) in [("http", 80), ("https", 443)] as [(String, UInt16)] {
      let beginning = String(decoding: bytes.prefix(scheme.utf8.count + 3), as: UTF8.self)
      if beginning.lowercased() == scheme + "://" { return (scheme, port) }
    }
    return nil
  }

  /// Host and port of an authority (RFC 3986, 3.2).
  private static func place(
    _ authority: ArraySlice<UInt8>, standardPort: UInt16
  ) -> (String, UInt16)? {
    let isBracketed = authority.first == UInt8(ascii: "[")
    guard
      let end = isBracketed
        ? authority.firstIndex(of: UInt8(ascii: "]"))
        : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    else { return nil }
    let name = String(
      decoding: isBracketed ? authority[..<end].dropFirst() : authority[..<end], as: UTF8.self)
    let rest = authority[(isBracketed ? end + 1 : end)...]
    guard isBracketed ? IPAddress(name)?.isIPv6 == true : isName(name),
      rest.isEmpty || rest.first == UInt8(ascii: ":")
    else { return nil }
    let digits = rest.dropFirst()
    if digits.isEmpty { return (name, standardPort) }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
    else { return nil }
    return (name, port)
  }

  private static func isName(_ host: String) -> Bool {
    let isPlain = host.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || "-._".utf8.contains($0)
    }
    return isPlain && (1...253).contains(host.utf8.count) && host.utf8.first != UInt8(ascii: "-")
  }

  /// Path and query; letters that are not ASCII are encoded (RFC 3987, 3.1).
  private static func path(_ bytes: ArraySlice<UInt8>) -> String? {
    var text = bytes.first == UInt8(ascii: "/") ? "" : "/"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\\"), 0...0x20, 0x7f: return nil
      case 0x80...: text += "%" + String(byte, radix: 16, uppercase: true)
      default: text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return text
  }
}
