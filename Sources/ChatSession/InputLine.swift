/// What a line that was entered means.
package enum InputLine: Equatable {
  /// Nothing but blanks.
  case empty
  case message(String)
  /// `/name arguments`; neither has blanks around it.
  case command(name: String, arguments: String)
  /// Something that looks like a command after blanks; not to be sent.
  case indentedCommand
  /// A command's name with a line's end right after it, as when lines are
  /// pasted the first of which happens to begin with a slash; neither to be
  /// sent nor to be run.
  case splitCommand

  /// A line that begins with `//` is a message that begins with `/`. Nothing
  /// else that begins with a slash is a message, so that a command that was
  /// mistyped is never said aloud.
  ///
  /// Scalars count here, not characters: a slash with an accent on it, or
  /// behind something invisible, still looks like a command.
  package init(_ line: String) {
    let scalars = line.unicodeScalars
    let text = scalars.drop { $0.properties.isWhitespace || $0.isInvisible }
    if text.isEmpty {
      self = .empty
    } else if scalars.starts(with: "//".unicodeScalars) {
      self = .message(String(scalars.dropFirst()))
    } else if scalars.first == "/" {
      self = Self.command(scalars.dropFirst())
    } else if text.first == "/" && !text.starts(with: "//".unicodeScalars) {
      self = .indentedCommand
    } else {
      self = .message(line)
    }
  }

  private static func command(_ text: Substring.UnicodeScalarView) -> InputLine {
    let name = text.prefix { !$0.properties.isWhitespace }
    let rest = text.dropFirst(name.count)
    let blanks = rest.prefix { $0.properties.isWhitespace }
    if blanks.contains(where: { "\n\r".unicodeScalars.contains($0) }) { return .splitCommand }
    return .command(name: String(name), arguments: Substring(rest).trimmed)
  }
}

extension Unicode.Scalar {
  /// Whether it takes no room by itself, such as U+200B or a byte order mark.
  fileprivate var isInvisible: Bool { properties.generalCategory == .format }
}

extension StringProtocol {
  /// Without the blanks and newlines at both ends.
  package var trimmed: String {
    let scalars = unicodeScalars
    let head = scalars.drop { $0.properties.isWhitespace }
    guard let last = head.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(String.UnicodeScalarView(head[...last]))
  }

  /// The first word and what follows it, without the blanks between them.
  package var firstWord: (word: String, rest: String) {
    let text = trimmed.unicodeScalars
    let word = text.prefix { !$0.properties.isWhitespace }
    return (String(word), Substring(text.dropFirst(word.count)).trimmed)
  }
}

/// The Levenshtein distance: how many characters must be added, removed or
/// changed to make one text of the other.
func editDistance(_ one: some StringProtocol, _ other: some StringProtocol) -> Int {
  let target = Array(other)
  var row = Array(0...target.count)
  for (index, character) in one.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in target.indices {
      let change = diagonal + (character == target[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[target.count]
}
