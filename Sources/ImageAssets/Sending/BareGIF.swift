/// GIF (89a) with nothing but its pictures and how they move.
enum BareGIF {
  /// The same pictures to the bit.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var cursor = ByteCursor(file[...])
    var kept = Array(try cursor.take(13))
    kept += try cursor.take(colorTable(kept[10]))
    // Some have no end.
    while !cursor.isAtEnd {
      let start = cursor.offset
      switch try cursor.byte() {
      case 0x2c:
        let flags = try cursor.take(9).last ?? 0
        try cursor.skip(colorTable(flags) + 1)
        try skipBlocks(&cursor)
        kept += file[start..<cursor.offset]
      case 0x21:
        let label = try cursor.byte()
        let contents = cursor.offset
        try skipBlocks(&cursor)
        let whole = file[start..<cursor.offset]
        // When and how the next picture takes the place of this one (23).
        if label == 0xf9, whole.count == 8 { kept += whole }
        // How often it moves, as browsers know it.
        let loop = file[contents..<cursor.offset]
        if label == 0xff, loop.count == 17, loop.starts(with: [11] + Array("NETSCAPE2.0".utf8)) {
          kept += whole
        }
      case 0x3b: return kept + [0x3b]
      default: throw .unreadable
      }
    }
    return kept + [0x3b]
  }

  /// The bytes of a table of colours that the flags announce (18 and 20).
  private static func colorTable(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  private static func skipBlocks(_ cursor: inout ByteCursor) throws(PlaceFailure) {
    while true {
      let count = Int(try cursor.byte())
      if count == 0 { return }
      try cursor.skip(count)
    }
  }
}
