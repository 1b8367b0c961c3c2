/// What the neutraliser has to know of a scalar.
enum ScalarKind: Equatable {
  /// Drawn by itself.
  case visible
  /// Drawn on what stands before it (categories Mn, Mc, Me).
  case mark
  /// U+200C or U+200D.
  case joiner
  /// Chooses a shape for what stands before it.
  case selector
  /// Spells the name of a flag after U+1F3F4.
  case tag
  /// A vowel or final consonant of Hangul, to be drawn into the syllable
  /// before it.
  case vowel, final
  /// Opens or closes a stretch of one direction; balanced already.
  case direction
  /// U+200E, U+200F, U+061C.
  case markOfDirection
  /// Takes columns, yet shows nothing.
  case blank
  /// Invisible, and of use to nobody here.
  case stray

  /// The kind of `scalar`, by value or else by its properties.
  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x21...0x7E, 0xAC00...0xD7A3, 0x4E00...0x9FFF: self = .visible
    case 0x20, 0xA0, 0x2800: self = .blank
    case 0x200C, 0x200D: self = .joiner
    case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .selector
    case 0xE0020...0xE007F: self = .tag
    case 0x1161...0x11A7, 0xD7B0...0xD7C6: self = .vowel
    case 0x11A8...0x11FF, 0xD7CB...0xD7FB: self = .final
    case 0x202A...0x202C, 0x2066...0x2069: self = .direction
    case 0x200E, 0x200F, 0x061C: self = .markOfDirection
    // The grapheme joiner and the inherent vowels of Khmer are written in
    // words; they are invisible, but count as the marks that they are.
    case 0x034F, 0x17B4, 0x17B5: self = .mark
    case 0x1D159: self = .stray
    default: self = Self.byProperty(scalar)
    }
  }

  private static func byProperty(_ scalar: Unicode.Scalar) -> ScalarKind {
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return .stray }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    case .format: return ScalarWidth.columns(of: scalar) == 0 ? .stray : .visible
    case .spaceSeparator: return .blank
    default: return .visible
    }
  }

  /// Whether `scalar` belongs to a script in which joiners change the shape of
  /// letters: Arabic and its kin, those of India and South-East Asia,
  /// Mongolian.
  static func shapesByJoiner(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x10FF, 0x1780...0x1CFF, 0xA800...0xABFF, 0xFB50...0xFDFF, 0xFE70...0xFEFC: true
    case 0x10840...0x10FFF, 0x11000...0x11FFF, 0x1E900...0x1E95F: true
    default: false
    }
  }
}

extension String.UnicodeScalarView {
  /// Appends scalars one by one: `append(contentsOf:)` counts those that are
  /// there each time, and takes quadratic time in a loop.
  mutating func appendEach(of scalars: some Sequence<Unicode.Scalar>) {
    for scalar in scalars { append(scalar) }
  }
}
