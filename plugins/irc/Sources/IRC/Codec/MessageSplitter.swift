/// Cuts what somebody says into parts that fit into a line each.
package enum MessageSplitter {
  /// How many bytes of text fit into one line to `target`, when the server
  /// puts `:nick!user@host ` before it.
  package static func budget(
    verb: String = "PRIVMSG", target: String, from source: Source, lineLength: Int
  ) -> Int {
    let head = ":\(source.text) \(verb) \(target) :".utf8.count
    return max(1, lineLength - 2 - head)
  }

  /// The parts of one line of text, none longer than `budget` bytes, cut at
  /// blanks where there are some, and never within what is seen as one
  /// character, unless that alone is too long.
  /// - Parameter keepsBlanks: whether the blank at which it was cut ends the
  ///   part before it, so that all parts together are the line; else it is in
  ///   neither.
  package static func parts(
    of line: String, budget: Int, keepsBlanks: Bool = false
  ) -> [String] {
    var parts: [String] = []
    var rest = line[...]
    while rest.utf8.count > budget {
      let (end, next) = cut(rest, keepsBlanks ? max(1, budget - 1) : budget)
      parts.append(String(rest[..<(keepsBlanks ? next : end)]))
      rest = rest[next...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(String(rest)) }
    return parts
  }

  /// Where a part ends, and where the next begins.
  private static func cut(_ text: Substring, _ budget: Int) -> (Substring.Index, Substring.Index) {
    var (end, size) = (text.startIndex, 0)
    var blank: (end: Substring.Index, next: Substring.Index)?
    while end < text.endIndex {
      let next = text.index(after: end)
      let character = text[end]
      // A blank at which is cut need not fit.
      if character == " ", end > text.startIndex { blank = (end, next) }
      let width = character.utf8.count
      guard size + width <= budget else { break }
      (end, size) = (next, size + width)
    }
    if let blank { return blank }
    if end > text.startIndex { return (end, end) }
    let scalar = cutScalars(text, budget)
    return (scalar, scalar)
  }

  /// Where even one character is too long, it is cut between scalars; a scalar
  /// is taken whole in any case.
  private static func cutScalars(_ text: Substring, _ budget: Int) -> Substring.Index {
    var (end, size) = (text.startIndex, 0)
    for index in text.unicodeScalars.indices {
      let width = UTF8.width(text.unicodeScalars[index])
      if size > 0, size + width > budget { break }
      size += width
      end = text.unicodeScalars.index(after: index)
    }
    return end
  }
}
