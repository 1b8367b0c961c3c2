package import TerminalText

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
}
