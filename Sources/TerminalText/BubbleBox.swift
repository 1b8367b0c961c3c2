/// A box around wrapped text, with words in its borders.
struct BubbleBox {
  /// What a frame and the blanks inside it take.
  static let frameColumns = 4

  private let sender: Sender
  private let isMention: Bool
  private let options: TranscriptOptions
  private let glyphs: Glyphs
  private var texts: [WrappedText] = []
  /// The columns between the blanks inside the frame.
  private var width = 1

  /// Stands in the upper border.
  var title = ""
  /// Stands in the lower border.
  var foot = ""

  /// An empty box in the colour of `sender`.
  init(sender: Sender, isMention: Bool, options: TranscriptOptions, glyphs: Glyphs) {
    self.sender = sender
    self.isMention = isMention
    self.options = options
    self.glyphs = glyphs
  }

  /// Adds rows below those that are there.
  mutating func add(_ text: WrappedText) {
    texts.append(text)
    for row in text.rows { width = max(width, row.columns) }
  }

  /// Makes the box wide enough for its borders, or these short enough for it.
  mutating func close(limit: Int) {
    title = fitting(title, columns: limit, options: options)
    foot = fitting(foot, columns: limit, options: options)
    for words in [title, foot] where !words.isEmpty {
      width = min(limit, max(width, options.measure.columns(words) + 2))
    }
  }

  /// Writes the box, with `label` beside its lower border.
  func append(label: String, columns: Int, to bytes: inout [UInt8]) {
    let indent = sender.isOwn ? options.area - width - Self.frameColumns : 0
    bytes.append(blanks: indent)
    appendBorder(glyphs.topLeft, title, glyphs.topRight, isStrong: false, to: &bytes)
    bytes.endRow()
    for text in texts {
      let isRightToLeft = options.isUTF8 && hasRightToLeft(text.text)
      for row in text.rows {
        bytes.append(blanks: indent)
        appendColored(glyphs.vertical, to: &bytes)
        bytes.append(blanks: 1)
        bytes.append(row, of: text, options.palette)
        if isRightToLeft { bytes.append("\u{200E}") }
        bytes.append(blanks: width - row.columns + 1)
        appendColored(glyphs.vertical, to: &bytes)
        bytes.endRow()
      }
    }
    if sender.isOwn, columns > 0 {
      bytes.append(blanks: indent - columns - 1)
      bytes.append(label)
      bytes.append(blanks: 1)
    } else {
      bytes.append(blanks: indent)
    }
    appendBorder(glyphs.bottomLeft, foot, glyphs.bottomRight, isStrong: isMention, to: &bytes)
    if !sender.isOwn, columns > 0 { bytes.append(" \(label)") }
    bytes.endRow()
  }

  private func appendColored(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(sender.color)
    bytes.append(text)
    bytes.append(options.palette.reset)
  }

  /// A border: `╭─ words ────╮`, or `╭ words ╮` where these only just fit.
  private func appendBorder(
    _ left: String, _ words: String, _ right: String, isStrong: Bool, to bytes: inout [UInt8]
  ) {
    bytes.append(sender.color)
    bytes.append(left)
    let taken = options.measure.columns(words)
    if words.isEmpty {
      bytes.append(contentsOf: glyphs.rule(width + 2))
    } else {
      let lead = taken + 2 <= width ? 1 : 0
      bytes.append(contentsOf: glyphs.rule(lead))
      bytes.append(blanks: 1)
      if isStrong { bytes.append(options.palette.strong) }
      bytes.append(words)
      if isStrong { bytes.append(options.palette.reset + sender.color) }
      if options.isUTF8, hasRightToLeft(words) { bytes.append("\u{200E}") }
      bytes.append(blanks: 1)
      bytes.append(contentsOf: glyphs.rule(width - taken - lead))
    }
    bytes.append(right)
    bytes.append(options.palette.reset)
  }
}
