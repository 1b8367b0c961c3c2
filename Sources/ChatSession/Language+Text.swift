internal import Glibc
package import TerminalText

/// A text in each of the languages that Banter speaks.
package struct LocalizedText: Sendable, Equatable {
  /// The text in English.
  package var english: String
  /// The same in Korean.
  package var korean: String

  /// The same text in each language.
  package init(_ english: String, _ korean: String) {
    self.english = english
    self.korean = korean
  }

  /// What the system says about something, strerror(3).
  package static func system(
    _ english: String, _ korean: String, _ errorNumber: Int32
  ) -> LocalizedText {
    let said = String(cString: strerror(errorNumber))
    return LocalizedText("\(english): \(said)", "\(korean): \(said)")
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
