/// The characters that boxes and rules are drawn with.
struct Glyphs {
  /// Corners and edges.
  let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String
  /// Between the parts of a title.
  let separator: String
  /// Stands for what was cut off.
  let ellipsis: String

  /// A horizontal line of so many columns, at most
  /// ``TranscriptOptions/maximalArea``.
  func rule(_ columns: Int) -> ArraySlice<UInt8> {
    let run = horizontal == "-" ? Self.asciiRun : Self.roundedRun
    return run.prefix(columns * horizontal.utf8.count)
  }

  private static let roundedRun = run("─")
  private static let asciiRun = run("-")

  private static func run(_ glyph: String) -> [UInt8] {
    Array(String(repeating: glyph, count: TranscriptOptions.maximalArea).utf8)
  }

  /// For terminals that show UTF-8.
  static let rounded = Glyphs(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─",
    vertical: "│", separator: " · ", ellipsis: "…")

  /// For all others.
  static let ascii = Glyphs(
    topLeft: ".", topRight: ".", bottomLeft: "'", bottomRight: "'", horizontal: "-",
    vertical: "|", separator: " - ", ellipsis: "...")
}
