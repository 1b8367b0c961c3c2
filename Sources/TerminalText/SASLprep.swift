internal import CUTF8Proc
internal import Glibc

/// A name or a password in the one form in which all programs compare it
/// (SASLprep, RFC 4013): blanks are spaces, what takes no room is gone, and the
/// normal form is NFKC.
///
/// "Assigned" is what utf8proc's Unicode says, not Unicode 3.2, so that names
/// in younger scripts can log in.
/// - Returns: nil where a character is prohibited (section 2.3), or the
///   direction of writing is mixed (section 2.4); it may be empty.
package func saslPrepared(_ text: String) -> String? {
  // Nothing happens to printable ASCII.
  if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text }
  var mapped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if isBlank(scalar) {
      mapped.append(" ")
    } else if !isMappedToNothing(scalar) {
      mapped.append(scalar)
    }
  }
  guard let prepared = normalized(String(mapped)) else { return nil }
  let scalars = prepared.unicodeScalars
  guard !scalars.contains(where: isProhibited), hasOneDirection(scalars) else { return nil }
  return prepared
}

/// NFKC, by utf8proc_map; nil when there is no memory left.
private func normalized(_ text: String) -> String? {
  let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
  var text = text
  return text.withUTF8 { bytes in
    var result: UnsafeMutablePointer<UInt8>?
    let count = utf8proc_map(
      bytes.baseAddress, bytes.count, &result, utf8proc_option_t(options))
    guard count >= 0, let result else { return bytes.isEmpty ? "" : nil }
    defer { free(result) }
    return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
  }
}

/// Non-ASCII spaces (RFC 3454, table C.1.2). U+200B is in table B.1 as well;
/// libidn and PostgreSQL make a space of it, and names must agree with theirs.
private func isBlank(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "\u{200b}" || category(scalar) == UTF8PROC_CATEGORY_ZS
}

/// Commonly mapped to nothing (RFC 3454, table B.1).
private func isMappedToNothing(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0xad, 0x34f, 0x1806, 0x180b...0x180d, 0x200c, 0x200d, 0x2060, 0xfe00...0xfe0f, 0xfeff: true
  default: false
  }
}

/// Control, format, private and unassigned characters (RFC 3454, tables C.2 to
/// C.9 and A.1), with those which categories do not tell.
private func isProhibited(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0xfffc, 0xfffd, 0x2ff0...0x2ffb: return true
  default: break
  }
  switch category(scalar) {
  case UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CS, UTF8PROC_CATEGORY_CO,
    UTF8PROC_CATEGORY_CN, UTF8PROC_CATEGORY_ZL, UTF8PROC_CATEGORY_ZP:
    return true
  default:
    return false
  }
}

/// Whether a text with a right-to-left letter has no left-to-right one, and
/// begins and ends with the former (RFC 3454, section 6).
private func hasOneDirection(_ scalars: String.UnicodeScalarView) -> Bool {
  guard let first = scalars.first, let last = scalars.last,
    scalars.contains(where: isRightToLeft)
  else { return true }
  let isMixed = scalars.contains { direction($0) == UTF8PROC_BIDI_CLASS_L }
  return !isMixed && isRightToLeft(first) && isRightToLeft(last)
}

private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
  let direction = direction(scalar)
  return direction == UTF8PROC_BIDI_CLASS_R || direction == UTF8PROC_BIDI_CLASS_AL
}

private func category(_ scalar: Unicode.Scalar) -> utf8proc_category_t {
  utf8proc_category(Int32(bitPattern: scalar.value))
}

private func direction(_ scalar: Unicode.Scalar) -> utf8proc_bidi_class_t {
  utf8proc_bidi_class_t(
    UInt32(utf8proc_get_property(Int32(bitPattern: scalar.value)).pointee.bidi_class))
}
