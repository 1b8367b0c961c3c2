/// What a line that was entered means.
package enum InputLine: Equatable {
  /// Nothing but blanks.
  case empty
  case message(String)
  /// `/name arguments`; neither has blanks around it.
  case command(name: String, arguments: String)
  /// Something that looks like a command after blanks; not to be sent.
  case indentedCommand

  /// A line that begins with `//` is a message that begins with `/`. Nothing
  /// else that begins with a slash is a message, so that a command that was
  /// mistyped is never said aloud.
  package init(_ line: String) {
    let text = line.drop(while: \.isWhitespace)
    if text.isEmpty {
      self = .empty
    } else if line.hasPrefix("//") {
      self = .message(String(line.dropFirst()))
    } else if line.hasPrefix("/") {
      let name = line.dropFirst().prefix { !$0.isWhitespace }
      let arguments = line.dropFirst(1 + name.count)
      self = .command(name: String(name), arguments: arguments.trimmed)
    } else if text.hasPrefix("/") && !text.hasPrefix("//") {
      self = .indentedCommand
    } else {
      self = .message(line)
    }
  }
}

extension StringProtocol {
  /// Without the blanks and newlines at both ends.
  package var trimmed: String {
    let head = drop(while: \.isWhitespace)
    guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(head[...last])
  }

  /// The first word and what follows it, without the blanks between them.
  package var firstWord: (word: String, rest: String) {
    let text = trimmed
    let word = text.prefix { !$0.isWhitespace }
    return (String(word), text.dropFirst(word.count).trimmed)
  }
}

/// The Levenshtein distance: how many characters must be added, removed or
/// changed to make one text of the other.
func editDistance(_ one: String, _ other: String) -> Int {
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
