/// Marks words in rows that are ready to be shown.
///
/// A word that was wrapped over two rows is not marked.
package struct HitMarker: Sendable {
  private let keys: [String]
  private let (begin, end): (String, String)

  /// - Parameters:
  ///   - words: search keys.
  ///   - hasEscapes: whether hits are shown reversed (SGR 7, ECMA-48 8.3.117);
  ///     else they stand between asterisks.
  package init(words: [String], hasEscapes: Bool) {
    keys = words
    (begin, end) = hasEscapes ? ("\u{1b}[7m", "\u{1b}[27m") : ("*", "*")
  }

  /// The row with every hit marked.
  package func mark(_ row: String) -> String {
    let characters = Array(row)
    let isEscape = Self.escapes(characters)
    // The key of the visible text, and which character each scalar is of.
    var key: [Unicode.Scalar] = []
    var origin: [Int] = []
    for (index, character) in characters.enumerated() where !isEscape[index] {
      let scalars = Array(searchKey(of: String(character)).unicodeScalars)
      key += scalars
      origin += scalars.map { _ in index }
    }
    var isHit = [Bool](repeating: false, count: characters.count)
    for word in keys {
      for range in Self.ranges(of: Array(word.unicodeScalars), in: key) {
        for position in range { isHit[origin[position]] = true }
      }
    }
    var marked = ""
    var isOpen = false
    for (index, character) in characters.enumerated() {
      if isHit[index] != isOpen, !isEscape[index] {
        marked += isOpen ? end : begin
        isOpen.toggle()
      }
      marked.append(character)
    }
    return isOpen ? marked + end : marked
  }

  private static func ranges(
    of word: [Unicode.Scalar], in key: [Unicode.Scalar]
  ) -> [Range<Int>] {
    guard !word.isEmpty, key.count >= word.count else { return [] }
    return (0...key.count - word.count).compactMap { start in
      let range = start..<start + word.count
      return key[range].elementsEqual(word) ? range : nil
    }
  }

  /// Which characters belong to control sequences (ECMA-48, 5.4).
  private static func escapes(_ characters: [Character]) -> [Bool] {
    var isInside = false
    return characters.map { character in
      if character == "\u{1b}" {
        isInside = true
        return true
      }
      defer { if isInside, character != "[", character.isLetter { isInside = false } }
      return isInside
    }
  }
}
