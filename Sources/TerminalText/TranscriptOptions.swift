/// How messages are laid out.
package enum Style: String, Sendable, CaseIterable {
  /// Boxes, one's own at the right; falls back to compact below 20 columns.
  case bubble
  /// `08:16 name: text`, one row after the other.
  case compact
  /// Text first, then name and time, without boxes, escapes or wrapping: for
  /// screen readers, pipes and dumb terminals.
  case plain
}

/// All that the look of a transcript depends on, other than its messages.
package struct TranscriptOptions: Sendable {
  /// How messages are laid out.
  package var style: Style
  /// The columns of the terminal; nothing is written into the last one.
  package var columns: Int
  /// The colours; plain style has none.
  package var palette: Palette
  /// How wide the terminal draws text.
  package var measure: TextMeasure
  /// The language of marks and dates.
  package var language: Language
  /// How hours are counted.
  package var clock: ClockFormat
  /// Where the clock hangs.
  package var zone: TimeZoneRule
  /// Whose bubbles stand at the right.
  package var ownProfileID: String
  /// The names that, when they occur in a message, make it a mention.
  package var mentionNames: [String]
  /// Whether boxes may be drawn with more than ASCII. The text of messages is
  /// left as it is either way.
  package var isUTF8: Bool

  /// Options for a terminal of 80 columns without colours, unless told
  /// otherwise.
  package init(
    style: Style = .bubble, columns: Int = 80, palette: Palette = Palette(depth: .none),
    measure: TextMeasure = TextMeasure(), language: Language = .english,
    clock: ClockFormat = .automatic, zone: TimeZoneRule = .system, ownProfileID: String = "",
    mentionNames: [String] = [], isUTF8: Bool = true
  ) {
    self.style = style
    self.columns = columns
    self.palette = palette
    self.measure = measure
    self.language = language
    self.clock = clock
    self.zone = zone
    self.ownProfileID = ownProfileID
    self.mentionNames = mentionNames
    self.isUTF8 = isUTF8
  }

  /// Fewer columns than this leave no room for bubbles.
  static let minimalBubbleColumns = 20
  /// The right edge of what is drawn, however wide the terminal is.
  static let maximalArea = 100

  /// The style that is drawn.
  var effectiveStyle: Style {
    style == .bubble && columns < Self.minimalBubbleColumns ? .compact : style
  }

  /// Whether what is bold or coloured is shown so.
  var showsStyles: Bool { effectiveStyle != .plain && palette.depth != .none }

  /// What stands for what was cut off; plain style draws with ASCII only.
  var ellipsis: String {
    let glyphs: Glyphs = isUTF8 && style != .plain ? .rounded : .ascii
    return glyphs.ellipsis
  }

  /// The columns that rows may fill, at least 1.
  var area: Int {
    let free = max(1, columns - 1)
    return effectiveStyle == .bubble ? min(free, Self.maximalArea) : free
  }
}
