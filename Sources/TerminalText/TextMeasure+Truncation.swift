extension TextMeasure {
  /// The beginning of `text` that fits in `columns`, whole clusters only, with
  /// `ellipsis` at its end when something was left out.
  ///
  /// Blanks before the ellipsis go as well. Where not even the ellipsis fits,
  /// the result is as much of the ellipsis as does.
  package func truncated(
    _ text: String, to columns: Int, ellipsis: String = "…"
  ) -> String {
    if text.utf8.count <= columns, isPrintableASCII(text) { return text }
    let marker = self.columns(ellipsis)
    guard columns >= marker else { return cut(ellipsis, to: columns).text }
    let whole = cut(text, to: columns)
    if whole.isAll { return text }
    var kept = cut(text, to: columns - marker).text
    while let last = kept.last, last == " " || last == "\t" { kept.removeLast() }
    return kept + ellipsis
  }

  /// As many clusters from the front as fit, and whether that is all of them.
  private func cut(_ text: String, to columns: Int) -> (text: String, isAll: Bool) {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      let width = text[end] == "\t" ? Self.tabWidth - used % Self.tabWidth : self.columns(text[end])
      if used + width > max(0, columns) { return (String(text[..<end]), false) }
      used += width
      end = text.index(after: end)
    }
    return (text, true)
  }
}

/// Whether `text` is ASCII from the blank to the tilde throughout.
func isPrintableASCII(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 <= 0x7E } }
}
