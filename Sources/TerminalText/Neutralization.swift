/// What kind of field a text comes from, and so what may stand in it.
package enum Neutralization: Sendable {
  /// A name, a room, a file name: one line, in which everything is shown, so
  /// that two names that differ also look different.
  case line
  /// What somebody wrote: lines are kept, tabs become blanks, and stray
  /// invisible characters (which come along with copied text) are left out.
  case paragraph
}

/// `text` in a form in which nothing acts on a terminal and nothing that has
/// an effect is invisible. Neutralising twice changes nothing more.
///
/// - Control characters become their pictures (`␛`), those without one and
///   line separators in a single line become `<U+009B>`.
/// - CR, CR LF, NEL and the Unicode separators are newlines in a paragraph; in
///   a line a newline is shown as `␊` and a tab becomes a blank.
/// - Bidirectional overrides are shown as `<U+202E>`; embeddings and isolates
///   are closed where a line ends with them open.
/// - Joiners, selectors, tags and fillers stay where the script or the emoji
///   around them needs them. Elsewhere they are stray.
/// - A combining mark with nothing to stand on gets a dotted circle; of a pile
///   of marks eight are kept.
/// - A text in which nothing could be seen shows its first character as
///   `<U+200B>`. Text of plain blanks, and empty text, stay as they are.
package func neutralized(_ text: String, _ mode: Neutralization = .line) -> String {
  if isClean(text, mode) { return text }
  var current = text
  // What is left out can let its neighbours join, so look again.
  for _ in 0..<4 {
    var balance = BidiBalance(mode: mode)
    for scalar in current.unicodeScalars { balance.take(scalar) }
    var filter = ClusterFilter(mode: mode, keepsMarksOfDirection: hasRightToLeft(current))
    let next = filter.filter(balance.finish())
    if next.unicodeScalars.elementsEqual(current.unicodeScalars) { break }
    current = next
  }
  return current
}

/// `<U+200B>`: how a character that cannot be shown is named.
func notation(of scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
}

/// Whether `text` has a letter of a script that runs from right to left.
func hasRightToLeft(_ text: String) -> Bool {
  text.unicodeScalars.contains { scalar in
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDCF, 0xFDF0...0xFDFF, 0xFE70...0xFEFC: true
    case 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}

/// Whether there is certainly nothing to neutralise.
private func isClean(_ text: String, _ mode: Neutralization) -> Bool {
  let allowsNewline = mode == .paragraph
  let isSimple = text.utf8.withContiguousStorageIfAvailable { bytes in
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        let isAllowed = bytes[index] >= 0x20 && bytes[index] < 0x7F
        guard isAllowed || (bytes[index] == 0x0A && allowsNewline) else { return false }
        index += 1
        continue
      }
      let (value, length) = decodedScalar(bytes, at: index)
      if ScalarWidth.ofSimple(value) == nil { return false }
      index += length
    }
    return true
  }
  return isSimple == true
}
