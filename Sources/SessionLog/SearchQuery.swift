package import ChatModel
internal import TerminalText

/// What is looked for: words that must all be in a message, and what it must
/// be like besides.
package struct SearchQuery: Hashable, Sendable {
  /// As search keys; parts of words count.
  package var words: [String] = []
  /// Beginnings of names or ids of the author, as search keys; one must fit.
  package var authors: [String] = []
  /// Parts of rooms' names or addresses, as search keys; one must fit.
  package var rooms: [String] = []
  /// The first moment that counts.
  package var from: Timestamp?
  /// The first moment that counts no more.
  package var until: Timestamp?
  /// Whether only messages with images count.
  package var hasImage = false
  /// What looks like a filter but is none, as it was typed, such as
  /// `after:today`; it is looked for as a word.
  package var misread: [String] = []

  /// A query that asks for nothing, to be filled in.
  package init() {}

  /// Whether it asks for nothing at all.
  package var isEmpty: Bool { self == SearchQuery() }

  /// Reads what a user has typed. Nothing is an error: what is no filter is a
  /// word to find, quotes hold a phrase together, and one alone is a word.
  /// - Parameter startOfDay: the moment at which a local day begins.
  package init(_ text: String, startOfDay: (CivilDate) -> Timestamp) {
    for word in Self.split(text) {
      guard !apply(word, startOfDay) else { continue }
      if Self.resemblesFilter(word) { misread.append(word) }
      let key = searchKey(of: Self.unquoted(word))
      if key.contains(where: { $0 != " " }) { words.append(key) }
    }
  }

  private mutating func apply(_ word: String, _ startOfDay: (CivilDate) -> Timestamp) -> Bool {
    guard let colon = word.firstIndex(of: ":") else { return false }
    let value = Self.unquoted(String(word[word.index(after: colon)...]))
    guard !value.isEmpty else { return false }
    switch word[..<colon] {
    case "from": authors.append(searchKey(of: value))
    case "in": rooms.append(searchKey(of: value))
    case "has" where value == "image": hasImage = true
    case "after":
      guard let day = CivilDate(value) else { return false }
      from = max(from ?? startOfDay(day), startOfDay(day))
    case "before":
      guard let day = CivilDate(value) else { return false }
      until = min(until ?? startOfDay(day), startOfDay(day))
    default: return false
    }
    return true
  }

  private static let filters: Set<Substring> = ["from", "in", "has", "after", "before"]

  private static func resemblesFilter(_ word: String) -> Bool {
    word.firstIndex(of: ":").map { filters.contains(word[..<$0]) } ?? false
  }

  /// The words between blanks; a quote at a word's start or behind a colon
  /// holds on to the next one.
  private static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\"", word.isEmpty || word.hasSuffix(":"),
        let end = rest.firstIndex(of: "\"")
      {
        word += "\"" + rest[...end]
        rest = rest[rest.index(after: end)...]
      } else if character.isWhitespace {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  private static func unquoted(_ word: String) -> String {
    guard word.count > 2, word.first == "\"", word.last == "\"" else { return word }
    return String(word.dropFirst().dropLast())
  }
}
