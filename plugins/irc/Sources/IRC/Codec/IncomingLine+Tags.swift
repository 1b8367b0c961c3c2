extension IncomingLine {
  /// Calls `body` with each tag's name and its value as it is escaped, from
  /// the left; a tag without a value has an empty one.
  package func forEachTag(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
    var position = tags.lowerBound
    while position < tags.upperBound {
      let start = position
      var equals: Int?
      while position < tags.upperBound, bytes[position] != UInt8(ascii: ";") {
        if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
        position += 1
      }
      let nameEnd = equals ?? position
      if nameEnd > start { body(start..<nameEnd, (equals.map { $0 + 1 } ?? position)..<position) }
      position += 1
    }
  }

  /// A tag's value without its escapes (IRCv3 message tags): `\:` is a
  /// semicolon, `\s` a blank, `\r` and `\n` those; of any other escape the
  /// backslash goes, also of one at the end.
  package func tagValue(_ range: Range<Int>) -> String {
    let raw = self[range]
    guard raw.contains(UInt8(ascii: "\\")) else { return IRCText.decode(raw) }
    var value: [UInt8] = []
    var isEscaped = false
    for byte in raw {
      if isEscaped {
        value.append(Self.unescaped(byte))
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        value.append(byte)
      }
    }
    return IRCText.decode(value)
  }

  private static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: ":"): UInt8(ascii: ";")
    case UInt8(ascii: "s"): UInt8(ascii: " ")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    default: byte
    }
  }

  /// All tags, the last of equal names.
  package var allTags: [String: String] {
    var all: [String: String] = [:]
    forEachTag { all[text($0)] = tagValue($1) }
    return all
  }
}

/// The tags that mean something here, found in one pass.
package struct KnownTags {
  package var time: Range<Int>?
  package var messageID: Range<Int>?
  package var account: Range<Int>?
  package var batch: Range<Int>?
  package var label: Range<Int>?
  package var reply: Range<Int>?
  package var react: Range<Int>?
  package var unreact: Range<Int>?
  package var isConcatenated = false

  package init(_ line: IncomingLine) {
    guard !line.tags.isEmpty else { return }
    line.forEachTag { name, value in
      let bytes = line[name]
      func isNamed(_ name: StaticString) -> Bool {
        bytes.count == name.utf8CodeUnitCount && name.withUTF8Buffer { bytes.elementsEqual($0) }
      }
      switch bytes.count {
      case 4 where isNamed("time"): time = value
      case 5 where isNamed("msgid"): messageID = value
      case 5 where isNamed("batch"): batch = value
      case 5 where isNamed("label"): label = value
      case 7 where isNamed("account"): account = value
      case 6 where isNamed("+reply"): reply = value
      case 12 where isNamed("+draft/reply"): reply = value
      case 12 where isNamed("+draft/react"): react = value
      case 14 where isNamed("+draft/unreact"): unreact = value
      case 22 where isNamed("draft/multiline-concat"): isConcatenated = true
      default: break
      }
    }
  }
}
