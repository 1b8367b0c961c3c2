/// Takes a prompt apart into cells. What stands between RL_PROMPT_START_IGNORE
/// and RL_PROMPT_END_IGNORE (`\001`, `\002`; readline manual, "Redisplay"),
/// and escape sequences wherever they stand, take no columns.
struct PromptText {
  /// Measures the visible part.
  let glyphs: Glyphs

  /// The cells of `prompt`; a newline is a cell whose text is `"\n"`.
  func cells(_ prompt: String) -> [Cell] {
    var cells: [Cell] = []
    var style = ""
    var isIgnored = false
    let characters = Array(prompt)
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if character == "\u{01}" || character == "\u{02}" {
        isIgnored = character == "\u{01}"
        index += 1
      } else if character == "\u{1B}" {
        let end = Self.sequenceEnd(characters, from: index)
        add(String(characters[index..<end]), to: &cells, style: &style)
        index = end
      } else {
        let glyph = isIgnored ? (String(character), 0) : glyphs.glyph(character)
        cells.append(Cell(text: glyph.0, columns: glyph.1, style: style))
        index += 1
      }
    }
    return cells
  }

  /// An SGR sequence changes the style of what follows; any other sequence
  /// (a cursor shape in `vi-cmd-mode-string`, say) is a cell of no columns.
  private func add(_ sequence: String, to cells: inout [Cell], style: inout String) {
    guard !glyphs.isPlain else { return }
    guard sequence.hasPrefix("\u{1B}["), sequence.hasSuffix("m") else {
      cells.append(Cell(text: sequence, columns: 0, style: style))
      return
    }
    style = sequence == "\u{1B}[m" || sequence == "\u{1B}[0m" ? "" : style + sequence
  }

  /// The index after the control sequence or control string that begins at
  /// `start` (ECMA-48, 5.4 and 5.6).
  private static func sequenceEnd(_ text: [Character], from start: Int) -> Int {
    var index = start + 1
    guard index < text.count else { return index }
    let kind = text[index]
    index += 1
    guard kind == "[" || kind == "]" else { return index }
    while index < text.count {
      let character = text[index]
      index += 1
      if kind == "]", character == "\u{07}" { return index }
      if kind == "]", character == "\u{1B}" { return min(index + 1, text.count) }
      if kind == "[", ("\u{40}"..."\u{7E}").contains(character) { return index }
    }
    return index
  }
}
