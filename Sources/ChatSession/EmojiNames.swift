/// Emoji by name: those that Unicode gives a character, by its name, and some
/// by the names that chats have made usual.
enum EmojiNames {
  private static let usual: [(name: String, emoji: String)] = [
    ("+1", "👍"), ("-1", "👎"), ("thumbsup", "👍"), ("thumbsdown", "👎"), ("heart", "❤️"),
    ("smile", "😄"), ("joy", "😂"), ("cry", "😢"), ("sob", "😭"), ("laughing", "😆"),
    ("wink", "😉"), ("thinking", "🤔"), ("ok", "👌"), ("clap", "👏"), ("pray", "🙏"),
    ("wave", "👋"), ("muscle", "💪"), ("fire", "🔥"), ("tada", "🎉"), ("rocket", "🚀"),
    ("eyes", "👀"), ("check", "✅"), ("x", "❌"), ("warning", "⚠️"), ("100", "💯"),
    ("coffee", "☕"), ("beer", "🍺"), ("bug", "🐛"), ("sparkles", "✨"), ("star", "⭐"),
  ]

  /// Every emoji of one character, such as `grinning_face`; made once, when
  /// it is first asked for.
  private static let unicode: [(name: String, emoji: String)] = {
    let blocks: [ClosedRange<UInt32>] = [0x231a...0x2b55, 0x1f000...0x1faff]
    return blocks.joined().compactMap(Unicode.Scalar.init).compactMap { scalar in
      guard scalar.properties.isEmoji, !scalar.properties.isEmojiModifier,
        let name = scalar.properties.name
      else { return nil }
      let emoji = scalar.properties.isEmojiPresentation ? "\(scalar)" : "\(scalar)\u{fe0f}"
      return (name.lowercased().replacing(" ", with: "_"), emoji)
    }
  }()

  /// Those whose name begins with `typed`, then those in whose name a word
  /// does.
  static func matching(_ typed: String) -> [(name: String, emoji: String)] {
    let typed = typed.lowercased()
    let all = usual + unicode
    let begins = all.filter { $0.name.hasPrefix(typed) }
    return begins + all.filter { !$0.name.hasPrefix(typed) && $0.name.contains("_" + typed) }
  }

  /// The emoji of `:name:`; nil when there is none.
  static func emoji(_ text: String) -> String? {
    guard text.hasPrefix(":"), text.hasSuffix(":"), text.count > 2 else { return nil }
    let name = text.dropFirst().dropLast().lowercased()
    return (usual + unicode).first { $0.name == name }?.emoji
  }

  /// The text when it is one emoji, else nil.
  static func single(_ text: String) -> String? {
    // Digits are emoji to Unicode, as the beginnings of keycaps (UTS #51).
    let isEmoji = text.unicodeScalars.contains {
      $0.properties.isEmoji && !$0.isASCII || $0 == "\u{20e3}"
    }
    return text.count == 1 && isEmoji ? text : nil
  }
}
