/// The colours of IRC as those that a terminal has, 0 to 15.
enum TerminalColor {
  /// Nil for 99, which is the reader's own.
  static func ofIRC(_ number: Int) -> UInt8? {
    switch number {
    case 0..<16: known[number]
    // Six rows of twelve hues, the dark ones first; then greys.
    case 16..<88: hues[(number - 16) % 12] + (number < 52 ? 0 : 8)
    case 88..<91: 0
    case 91..<94: 8
    case 94..<97: 7
    case 97..<99: 15
    default: nil
    }
  }

  /// White, black, blue, green, red, brown, purple, orange, yellow, light
  /// green, cyan, light cyan, light blue, pink, grey, light grey.
  private static let known: [UInt8] = [15, 0, 4, 2, 9, 1, 5, 3, 11, 10, 6, 14, 12, 13, 8, 7]

  /// Red, orange, yellow, lime, green, turquoise, cyan, azure, blue, violet,
  /// magenta, pink.
  private static let hues: [UInt8] = [1, 3, 3, 2, 2, 6, 6, 4, 4, 5, 5, 5]

  /// - Parameter rgb: RRGGBB.
  static func nearest(toRGB rgb: Int) -> UInt8 {
    let parts = [rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff]
    let (brightest, darkest) = (parts.max() ?? 0, parts.min() ?? 0)
    if brightest - darkest < 32 {
      return brightest < 64 ? 0 : brightest < 160 ? 8 : brightest < 224 ? 7 : 15
    }
    let middle = (brightest + darkest) / 2
    let color = parts.enumerated().reduce(UInt8(0)) { color, part in
      part.element > middle ? color | 1 << part.offset : color
    }
    return brightest > 191 ? color + 8 : color
  }
}
