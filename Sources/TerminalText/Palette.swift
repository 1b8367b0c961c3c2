package import ChatModel

/// Whether to use colours, as the user says.
package enum ColorMode: String, Sendable, CaseIterable {
  case auto, always, never
}

/// How many colours a terminal has.
package enum ColorDepth: Sendable, CaseIterable {
  /// None, nor any other escape sequence.
  case none
  case ansi16
  case palette256
  case trueColor
}

/// The colours of names and bubbles: each profile has one, the same in every
/// session, chosen by its id.
///
/// Only the foreground is set, and with 256 colours or more only to such that
/// stand out from black and from white alike (contrast of 3:1 at least, Web
/// Content Accessibility Guidelines 2.1, 1.4.11): the background is not known.
package struct Palette: Sendable, Equatable {
  /// How many colours it may use.
  package let depth: ColorDepth

  /// The colours for a terminal of that depth.
  package init(depth: ColorDepth) {
    self.depth = depth
  }

  /// Ends every attribute; empty without colours, as all of these are.
  package var reset: String { depth == .none ? "" : "\u{1B}[0m" }

  /// Begins what must not be overlooked, such as a mention.
  package var strong: String { depth == .none ? "" : "\u{1B}[1m" }

  /// Begins the colour of a profile.
  package func start(forProfile id: String) -> String {
    let hash = stableHash(id)
    switch depth {
    case .none:
      return ""
    case .ansi16:
      return "\u{1B}[\(Self.ansi[Int(hash % UInt64(Self.ansi.count))])m"
    case .palette256:
      return "\u{1B}[38;5;\(Self.indexed[Int(hash % UInt64(Self.indexed.count))])m"
    case .trueColor:
      let color = Self.direct[Int(hash % UInt64(Self.direct.count))]
      return "\u{1B}[38;2;\(color >> 16);\(color >> 8 & 0xFF);\(color & 0xFF)m"
    }
  }

  /// Begins a style that somebody chose (SGR, ECMA-48 8.3.117); a terminal's
  /// letters are monospaced anyway.
  ///
  /// Nothing is hidden by it: black or white letters need a ground of another
  /// colour, and a ground gets letters that stand out from it.
  package func start(for style: TextStyle) -> String {
    if depth == .none { return "" }
    var codes: [Int] = []
    if style.isBold { codes.append(1) }
    if style.isItalic { codes.append(3) }
    if style.isUnderlined { codes.append(4) }
    if style.isReversed { codes.append(7) }
    if style.isStruck { codes.append(9) }
    if let background = style.background.map(Int.init) {
      var foreground = style.foreground.map(Int.init) ?? background
      if foreground == background { foreground = Self.dark.contains(background) ? 15 : 0 }
      codes += [Self.code(foreground), Self.code(background) + 10]
    } else if let foreground = style.foreground.map(Int.init), !Self.grays.contains(foreground) {
      codes.append(Self.code(foreground))
    }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }

  private static func code(_ color: Int) -> Int { color < 8 ? 30 + color : 82 + color }

  private static let grays: Set = [0, 7, 8, 15]
  private static let dark: Set = [0, 1, 2, 4, 5, 8]

  /// Red, green, blue, magenta, cyan: yellow cannot be read on white, and the
  /// bright ones neither.
  static let ansi = [31, 32, 34, 35, 36]

  /// Saturated colours of the 6×6×6 cube, a hue each.
  static let indexed = [
    131, 202, 130, 94, 58, 64, 28, 29, 30, 31, 25, 27, 61, 99, 97, 134, 165, 127, 200, 199, 198,
    197,
  ]

  /// 32 hues of one luminance, 0.18: as far from black as from white.
  static let direct = [
    0xBD5555, 0xD44220, 0xAE6234, 0x9C6C2F, 0x87743D, 0x7C7838, 0x717C25, 0x637F26, 0x548227,
    0x51823A, 0x238814, 0x29872E, 0x3B844E, 0x148746, 0x14865B, 0x148570, 0x278282, 0x2C8093,
    0x1B7CB6, 0x2174DE, 0x5772C2, 0x626ADA, 0x7364DE, 0x8460D5, 0x935BCB, 0xAD42DD, 0xAA52B7,
    0xB150AB, 0xD520A8, 0xDB218A, 0xE02269, 0xD23F5B,
  ]
}

/// FNV-1a in 64 bits (draft-eastlake-fnv), folded so that its low bits depend
/// on all of it.
func stableHash(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
  }
  return hash ^ hash >> 32
}
