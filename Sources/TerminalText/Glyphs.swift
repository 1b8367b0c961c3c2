/// The characters that boxes and rules are drawn with.
struct Glyphs {
  let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String
  /// Between the parts of a title.
  let separator: String
  let ellipsis: String

  static let rounded = Glyphs(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─",
    vertical: "│", separator: " · ", ellipsis: "…")

  static let ascii = Glyphs(
    topLeft: ".", topRight: ".", bottomLeft: "'", bottomRight: "'", horizontal: "-",
    vertical: "|", separator: " - ", ellipsis: "...")
}
