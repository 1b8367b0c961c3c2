package import TerminalText

extension Language {
  /// The one of two texts that is in this language.
  package func choose(_ english: String, _ korean: String) -> String {
    self == .korean ? korean : english
  }
}
