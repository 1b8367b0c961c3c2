internal import CUTF8Proc

/// What was typed of a name, to be compared with names.
///
/// Case, accents and normal form do not matter. A Hangul consonant by itself
/// stands for any syllable that begins with it: `ㅁㅅ` finds `민수`.
package struct MatchKey {
  private let scalars: [UInt32]

  package init(_ typed: some StringProtocol) {
    scalars = folded(String(typed))
  }

  /// Whether `name` begins with what was typed.
  package func isPrefix(of name: String) -> Bool {
    let name = folded(name)
    guard scalars.count <= name.count else { return false }
    return zip(scalars, name).allSatisfy { $0 == $1 || $0 == initialConsonant(of: $1) }
  }
}

/// The scalars of a text after case folding and composition, without marks
/// (utf8proc_decompose with UTF8PROC_CASEFOLD and UTF8PROC_STRIPMARK).
private func folded(_ text: String) -> [UInt32] {
  let options =
    UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_STRIPMARK.rawValue
    | UTF8PROC_IGNORE.rawValue
  var text = text
  return text.withUTF8 { bytes in
    var scalars = [Int32](repeating: 0, count: bytes.count * 4 + 4)
    let count = scalars.withUnsafeMutableBufferPointer { buffer in
      let decomposed = utf8proc_decompose(
        bytes.baseAddress, bytes.count, buffer.baseAddress, buffer.count,
        utf8proc_option_t(options))
      guard decomposed > 0, decomposed <= buffer.count else { return 0 }
      return utf8proc_normalize_utf32(
        buffer.baseAddress, decomposed, utf8proc_option_t(options))
    }
    return scalars.prefix(max(0, count)).map { UInt32(bitPattern: $0) }
  }
}

/// The compatibility jamo of the consonant with which a precomposed Hangul
/// syllable begins (The Unicode Standard, section 3.12).
private func initialConsonant(of syllable: UInt32) -> UInt32? {
  guard (0xac00...0xd7a3).contains(syllable) else { return nil }
  let initials: [UInt32] = [
    0x3131, 0x3132, 0x3134, 0x3137, 0x3138, 0x3139, 0x3141, 0x3142, 0x3143, 0x3145, 0x3146,
    0x3147, 0x3148, 0x3149, 0x314a, 0x314b, 0x314c, 0x314d, 0x314e,
  ]
  return initials[Int(syllable - 0xac00) / (21 * 28)]
}
