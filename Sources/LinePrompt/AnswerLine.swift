/// What is typed in answer to a question, apart from readline: it is in no
/// undo list, kill ring or history, and the typed line stays as it is.
struct AnswerLine {
  /// What a key has come to.
  enum Outcome: Equatable {
    case goesOn
    case given(String)
    case refused
  }

  /// Most bytes of an answer.
  private static let limitInBytes = 8_192

  let prompt: String
  let isSecret: Bool
  private var text = ""
  /// The beginning of a function key, which types nothing.
  private var sequence: [UInt8] = []

  init(prompt: String, isSecret: Bool) {
    self.prompt = prompt
    self.isSecret = isSecret
  }

  /// What is shown of it.
  var shown: [UInt8] { isSecret ? [] : Array(text.utf8) }

  /// Takes one key, a character in UTF-8.
  mutating func take(_ key: [UInt8]) -> Outcome {
    // No control character is within one.
    if key[0] < 0x20 { sequence = [] }
    guard sequence.isEmpty, key != [0x1B] else {
      sequence += key
      if !Self.goesOn(sequence) { sequence = [] }
      return .goesOn
    }
    switch key[0] {
    case 0x0A, 0x0D: return .given(text)
    // Ctrl-C, Ctrl-G.
    case 0x03, 0x07: return .refused
    // Ctrl-D.
    case 0x04: return text.isEmpty ? .refused : .goesOn
    case 0x08, 0x7F: _ = text.popLast()
    // Ctrl-U, Ctrl-W.
    case 0x15, 0x17: text = ""
    case 0x20...: insert(String(decoding: key, as: UTF8.self))
    default: break
    }
    return .goesOn
  }

  /// Whether more belongs to a function key. What begins as a terminal's string
  /// does and has come here is a key with Alt: strings are no keys.
  private static func goesOn(_ sequence: [UInt8]) -> Bool {
    EscapeSequence.kind(of: sequence) == .unfinished
      && (sequence.count < 2 || "[O".utf8.contains(sequence[1]))
  }

  /// A lone ESC ends what has begun.
  mutating func endSequence() { sequence = [] }

  /// Takes pasted text, of which only Enter gives an answer.
  mutating func paste(_ pasted: String) {
    insert(String(String.UnicodeScalarView(pasted.unicodeScalars.filter { $0.value >= 0x20 })))
  }

  private mutating func insert(_ more: String) {
    if text.utf8.count + more.utf8.count <= Self.limitInBytes { text += more }
  }
}
