/// Tells a paste from typed keys where the terminal does not mark pastes
/// (bracketed paste off, or a terminal that has none).
///
/// A person types one key a read. So a read that is only text, with a tab or a
/// line end *followed by more text*, was pasted: its tabs complete nothing and
/// its line ends send nothing. A tab or a line end that comes last is a key.
enum PasteGuess {
  /// Whether `bytes`, read at once, are a paste.
  static func isPaste(_ bytes: some Collection<UInt8>) -> Bool {
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || isBreak($0) }
    guard isText, let firstBreak = bytes.firstIndex(where: isBreak) else { return false }
    return bytes[firstBreak...].contains { $0 > 0x20 }
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
