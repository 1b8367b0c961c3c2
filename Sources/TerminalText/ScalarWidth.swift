import CUTF8Proc

/// How many columns single Unicode scalars take, whatever stands beside them.
enum ScalarWidth {
  /// 0, 1 or 2.
  ///
  /// The table is that of libutf8proc, after Unicode Standard Annex 11, with
  /// what it leaves open settled as terminals settle it: the vowels and final
  /// consonants of decomposed Hangul stand in the columns of the initial one,
  /// spacing marks (category Mc) take a column, control characters none.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: 1
    case 0...0x1F, 0x7F...0x9F: 0
    case 0xAC00...0xD7A3, 0x4E00...0x9FFF: 2
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: 0
    // The hexagrams: wide since Unicode 16, and in glibc before that.
    case 0x4DC0...0x4DFF: 2
    case 0x2028, 0x2029: 0
    // Tone and reading marks: of category Mc, and wide as what they stand on.
    case 0x302E, 0x302F, 0x16FF0, 0x16FF1: 2
    default: tabulated(scalar)
    }
  }

  private static func tabulated(_ scalar: Unicode.Scalar) -> Int {
    let width = Int(utf8proc_charwidth(Int32(bitPattern: scalar.value)))
    switch utf8proc_category(Int32(bitPattern: scalar.value)) {
    case UTF8PROC_CATEGORY_MC:
      return 1
    case UTF8PROC_CATEGORY_CF where isVisibleFormat(scalar):
      return 1
    case UTF8PROC_CATEGORY_CN where scalar.properties.isEmojiPresentation:
      // An emoji that is younger than the table.
      return 2
    default:
      return width
    }
  }

  /// The signs that are drawn around or under the digits after them, such as
  /// the Arabic number sign: format characters by name only.
  private static func isVisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// The width of a scalar that is always a cluster of its own among others
  /// of its kind; nil for every scalar that may join another, act, or be
  /// invisible.
  ///
  /// These are the letters and signs that most text is made of, so that such
  /// text need not be segmented.
  static func ofSimple(_ value: UInt32) -> Int? {
    switch value {
    case 0xAC00...0xD7A3, 0x4E00...0x9FFF: 2
    case 0x20...0x7E: 1
    case 0xA1...0xA8, 0xAA...0xAC, 0xAF...0x2FF: 1
    case 0x370...0x377, 0x37B...0x37F, 0x384...0x38A, 0x38E...0x3A1, 0x3A3...0x482, 0x48A...0x52F: 1
    case 0x2010...0x2027, 0x2500...0x257F: 1
    case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x30FF, 0x3131...0x3163: 2
    case 0xFF01...0xFF60: 2
    case 0x1F442...0x1F4FC, 0x1F600...0x1F64F, 0x1F680...0x1F6C5: 2
    case 0x1F90C...0x1F93A, 0x1F947...0x1F9FF: 2
    default: nil
    }
  }
}
