/// Columns of text; stands in until TerminalText has its own.
package struct TextMeasure: Sendable {
  /// A measure.
  package init(emojiWidth: Int = 2) {}
  /// Columns of one cluster.
  package func columns(_ cluster: Character) -> Int {
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count > 1, scalars.contains(where: { $0.value == 0x200D || $0.value == 0xFE0F }) {
      return 2
    }
    switch first.value {
    case 0x300...0x36F, 0x200B...0x200F: return 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60,
      0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
  /// Columns of a text.
  package func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }
}
