/// Matches such as those of bans (RFC 2812, section 2.5): `*` stands for any
/// text, `?` for one byte, `\` takes the meaning of the one behind it.
package enum Mask {
  /// Both as the server folds case; in time proportional to their product at
  /// most.
  package static func matches(_ mask: String, _ text: String) -> Bool {
    let mask = tokens(of: mask)
    let text = Array(text.utf8)
    var (position, index) = (0, 0)
    var star: (position: Int, index: Int)?
    while index < text.count {
      if position < mask.count, mask[position] == .any {
        star = (position + 1, index)
        position += 1
      } else if position < mask.count,
        mask[position] == .one || mask[position] == .byte(text[index])
      {
        (position, index) = (position + 1, index + 1)
      } else if let last = star {
        star = (last.position, last.index + 1)
        (position, index) = (last.position, last.index + 1)
      } else {
        return false
      }
    }
    return mask[position...].allSatisfy { $0 == .any }
  }

  private enum Token: Equatable {
    case any, one
    case byte(UInt8)
  }

  private static func tokens(of mask: String) -> [Token] {
    var tokens: [Token] = []
    var isEscaped = false
    for byte in mask.utf8 {
      switch byte {
      case _ where isEscaped: tokens.append(.byte(byte))
      case UInt8(ascii: "\\"):
        isEscaped = true
        continue
      case UInt8(ascii: "*"): tokens.append(.any)
      case UInt8(ascii: "?"): tokens.append(.one)
      default: tokens.append(.byte(byte))
      }
      isEscaped = false
    }
    return tokens
  }
}
