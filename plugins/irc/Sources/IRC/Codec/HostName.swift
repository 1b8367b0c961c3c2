/// Whether a text is a host's name as servers of IRC take it (RFC 1123,
/// section 2.1; RFC 2812, section 2.3.1): labels of letters, digits and inner
/// hyphens, two of them at least.
package enum HostName {
  package static func isValid(_ name: String) -> Bool {
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count > 1 && name.utf8.count <= 253 && labels.allSatisfy(isLabel)
  }

  private static func isLabel(_ label: Substring.UTF8View) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { $0 == hyphen || isLetterOrDigit($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
