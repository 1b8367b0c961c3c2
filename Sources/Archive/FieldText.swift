import TerminalText

/// A field of one line: neutralised, without blanks around it, cut to
/// `columns`; empty when there is nothing to be seen.
///
/// Only its beginning is looked at, since it may be a megabyte.
func field(_ text: String, columns: Int) -> String {
  let limit = columns * 8 + 32
  var beginning = text
  if text.utf8.count > limit {
    beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
  }
  let whole = trimmed(neutralized(beginning))
  let cut = TextMeasure().truncated(whole, to: columns)
  // A cut may leave a direction open, which this closes.
  return cut == whole ? whole : neutralized(cut)
}

/// The first line of `text` and those after it, as one line.
func oneLine(_ text: String) -> String {
  String(text.prefix(1_000).map { $0.isNewline ? " " : $0 })
}

/// `text` without blanks at its ends.
private func trimmed(_ text: String) -> String {
  var rest = text[...]
  while let first = rest.first, first.isWhitespace { rest.removeFirst() }
  while let last = rest.last, last.isWhitespace { rest.removeLast() }
  return String(rest)
}
