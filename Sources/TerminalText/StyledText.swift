package import ChatModel

/// A text that is ready to be shown, and how parts of it look.
package struct StyledText: Sendable {
  package var text: String
  /// Bytes of the text's UTF-8; in order, none within another.
  package var styles: [StyledRange]

  package init(_ text: String, _ styles: [StyledRange]) {
    (self.text, self.styles) = (text, styles)
  }

  /// What somebody wrote, neutralised, without the blank lines around it.
  ///
  /// Where to neutralise the parts would come to another text than to
  /// neutralise the whole, it has no styles.
  package init(paragraph raw: String, _ styles: [StyledRange]) {
    let whole = neutralized(raw, .paragraph)
    let shown = contentRange(of: whole)
    text = String(whole[shown])
    self.styles = []
    guard !styles.isEmpty else { return }
    var parts = Parts(raw)
    for range in styles { parts.take(range) }
    guard parts.finish() == whole else { return }
    let start = whole.utf8.distance(from: whole.startIndex, to: shown.lowerBound)
    let count = text.utf8.count
    self.styles = parts.styles.compactMap { range in
      let (from, to) = (max(0, range.start - start), min(count, range.end - start))
      return from < to ? StyledRange(start: from, end: to, style: range.style) : nil
    }
  }

  /// The text behind some other that has no styles.
  mutating func prepend(_ lead: String) {
    text = lead + text
    let shift = lead.utf8.count
    for index in styles.indices {
      styles[index].start += shift
      styles[index].end += shift
    }
  }

  /// All of the text in order, each part with its style; nil for none.
  package var parts: [(text: String, style: TextStyle?)] {
    var parts: [(String, TextStyle?)] = []
    let bytes = Array(text.utf8)
    var position = 0
    func add(to end: Int, _ style: TextStyle?) {
      if end > position {
        parts.append((String(decoding: bytes[position..<end], as: UTF8.self), style))
      }
      position = end
    }
    for range in styles {
      add(to: range.start, nil)
      add(to: range.end, range.style)
    }
    add(to: bytes.count, nil)
    return parts
  }
}

/// A text neutralised part by part.
private struct Parts {
  private let bytes: [UInt8]
  private var position = 0
  private var result = ""
  var styles: [StyledRange] = []

  init(_ raw: String) { bytes = Array(raw.utf8) }

  mutating func take(_ range: StyledRange) {
    guard range.start >= position, range.end <= bytes.count, range.start < range.end else { return }
    append(to: range.start)
    let start = result.utf8.count
    append(to: range.end)
    styles.append(StyledRange(start: start, end: result.utf8.count, style: range.style))
  }

  mutating func finish() -> String {
    append(to: bytes.count)
    return result
  }

  private mutating func append(to end: Int) {
    guard end > position else { return }
    result += neutralized(String(decoding: bytes[position..<end], as: UTF8.self), .paragraph)
    position = end
  }
}
