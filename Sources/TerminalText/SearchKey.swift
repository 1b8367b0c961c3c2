internal import CUTF8Proc
internal import Glibc

/// What of a text counts when it is searched: case, width, normal form and
/// what takes no room do not, and every blank is a space (NFKC_Casefold, The
/// Unicode Standard, section 3.13).
///
/// Two texts of which one contains the other keep doing so, but where a
/// character at the seam composes with its neighbour.
package func searchKey(of text: String) -> String {
  var text = text
  return text.withUTF8 { bytes in
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return folded(bytes) }
    return String(unsafeUninitializedCapacity: bytes.count) { key in
      for (index, byte) in bytes.enumerated() {
        key[index] =
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
          case 0..<0x20, 0x7f: 0x20
          default: byte
          }
      }
      return bytes.count
    }
  }
}

private func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
  let options =
    UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
    | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue
  var result: UnsafeMutablePointer<UInt8>?
  let count = utf8proc_map(
    bytes.baseAddress, bytes.count, &result, utf8proc_option_t(options))
  guard count >= 0, let result else { return String(decoding: bytes, as: UTF8.self) }
  defer { free(result) }
  for index in 0..<count where result[index] < 0x20 || result[index] == 0x7f {
    result[index] = 0x20
  }
  return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
}
