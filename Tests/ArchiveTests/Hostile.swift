import ChatModel
import TerminalText

@testable import Archive

/// Texts that would do something if a format let them.
enum Hostile {
  private static let noncharacter = String(decoding: [0xFFFE, 0xFDD0] as [UInt16], as: UTF16.self)

  static let texts: [String] = [
    "</style><script>alert(1)</script>", "</title></p></article></main>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)", "javascript:alert(1)", "JaVaScRiPt:alert(1)//https://x", "]]>",
    "<!--", "-->",
    "<![CDATA[", "<?php", "&lt;script&gt;", "&#106;avascript:", "&nbsp", "a\u{0}b",
    "\u{1B}]52;c;cHduZWQ=\u{7}",
    "\u{1B}[2J", "\u{9B}31m", "ab\u{202E}gpj.exe", "\u{2067}open", "a\u{2028}b\u{85}c\r\nd\u{C}e",
    noncharacter,
    "data:text/html,<script>alert(1)</script>", "https://x/\"onclick=\"alert(1)",
    "http://x/<script>",
    "https://example.org/a(b)c?d=e&f='g'", "{{constructor}}", "${7*7}", "`code`", "***",
    "# no heading",
    "1. no list", "- no list", "> no quote", "===", "---", "    no code", "~~~\nno fence\n~~~",
    "[a](javascript:b)", "![a](x)", "<https://auto.link>", "[ref]: /x", "*a* _b_ **c** __d__",
    "a\\", "a  \nb",
    "| a | b |\n|---|---|", "a\n\n\nb", "\\*", "&copy;", "two  blanks   here", "a \n b", "#",
    "room #", "12) x",
    "+ x", "\t tab", "한글 *강조* `코드`", "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "שלום <b>", "", " ", "\n", "\u{200B}",
    String(repeating: "<", count: 10_000), String(repeating: "이름", count: 5_000),
    String(repeating: "\u{301}", count: 10_000),
  ]

  /// A message that has `text` in every field that can hold it.
  static func message(_ text: String, after seconds: Int64) -> ArchivedMessage {
    Sample.message(text, text, text, after: seconds, room: text) {
      $0.entry.message.id = text
      $0.entry.message.profileImage = text
      $0.entry.message.images = [text]
      $0.entry.message.files = [
        FileReference(path: text, name: text, mediaType: text, sha256: text),
        FileReference(path: "x" + text, name: text, mediaType: text, sha256: text),
      ]
      $0.entry.message.replyTo = text
      $0.entry.message.isAction = seconds % 2 == 1
      $0.entry.reactions = [ReactionTally(reaction: text, profileIDs: [text])]
      $0.repliedTo = RepliedMessage(name: text, excerpt: text)
    }
  }

  /// One for each text, with every mark now and then.
  static let messages = texts.enumerated().map { index, text in
    var message = message(text, after: Int64(index) * 7)
    message.entry.isEdited = index % 3 == 0
    message.entry.message.isTruncated = index % 5 == 0
    return message
  }

  /// Rooms with such names.
  static func options(language: Language = .english) -> ExportOptions {
    Sample.options(rooms: texts, language: language) { path, _ in
      .embedded(EmbeddedImage(bytes: Array("<svg onload=alert(1)>".utf8), mediaType: path))
    }
  }

  /// Whether a scalar may stand in no export that is read.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202D, 0x202E, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
