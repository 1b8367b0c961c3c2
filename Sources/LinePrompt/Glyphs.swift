import TerminalText

/// How a cluster is shown: control characters as readline shows them (`^A`),
/// everything else as itself.
struct Glyphs {
  /// Columns of what is no control character.
  let measure: TextMeasure
  /// Whether only what a dumb terminal knows may be written.
  let isPlain: Bool

  /// What is written for `cluster`, and its columns. A newline stays one
  /// (columns 0), and a tab is `"\t"`: their width depends on the place.
  func glyph(_ cluster: Character) -> (String, Int) {
    guard let first = cluster.unicodeScalars.first?.value else { return ("", 0) }
    switch first {
    case 0x0A where !isPlain: return ("\n", 0)
    case 0x0D where !isPlain && cluster == "\r\n": return ("\n", 0)
    case 0x0D where cluster == "\r\n": return ("^M^J", 4)
    case 0x09: return ("\t", 1)
    case 0x00..<0x20: return ("^" + String(UnicodeScalar(UInt8(first) + 0x40)), 2)
    case 0x7F: return ("^?", 2)
    // C1 controls act on some terminals (ECMA-48, 5.3).
    case 0x80..<0xA0: return ("?", 1)
    // Line separators, and what turns the order of all that follows around
    // (UAX #9): a pasted one must not reach beyond its own place.
    case 0x2028...0x202E, 0x2066...0x2069: return ("?", 1)
    default: return (String(cluster), measure.columns(cluster))
    }
  }

  /// The cell for a glyph that stands at `column` of a row `width` wide:
  /// tabs run to the next multiple of 8, and what can never fit is a `?`.
  func cell(_ glyph: (String, Int), style: String, column: Int, width: Int) -> Cell {
    if glyph.0 == "\t" {
      let columns = max(1, min(8 - column % 8, width - column))
      return Cell(text: String(repeating: " ", count: columns), columns: columns, style: style)
    }
    guard glyph.1 <= width else { return Cell(text: "?", columns: 1, style: style) }
    return Cell(text: glyph.0, columns: glyph.1, style: style)
  }
}
