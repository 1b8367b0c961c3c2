package import TerminalText

/// A text in each of the languages that Banter speaks.
package struct LocalizedText: Sendable, Equatable {
  package var english: String
  package var korean: String

  package init(_ english: String, _ korean: String) {
    self.english = english
    self.korean = korean
  }
}

/// `1 message`, `2 messages`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension Language {
  /// A text in this language: `language("yes", "네")`.
  package func callAsFunction(
    _ english: @autoclosure () -> String, _ korean: @autoclosure () -> String
  ) -> String {
    switch self {
    case .english: english()
    case .korean: korean()
    }
  }

  /// The text in this language.
  package func callAsFunction(_ text: LocalizedText) -> String {
    callAsFunction(text.english, text.korean)
  }
}
