import ChatModel
import TerminalText

@testable import Archive

/// An invented conversation with everything in it that a message can have.
enum Conversation {
  /// Oldest first.
  static let messages: [ArchivedMessage] = morning + nextDay

  private static let morning: [ArchivedMessage] = [
    Sample.message("minsu", "민수", "긴급! 오늘 회의는 세 시입니다") {
      $0.entry.reactions = [
        ReactionTally(reaction: "👍", profileIDs: ["me", "jane"]),
        ReactionTally(reaction: "😮", profileIDs: ["jane"]),
      ]
    },
    Sample.message("minsu", "민수", "자료는 여기 있어요", after: 10) {
      $0.entry.message.files = [
        FileReference(path: "ab12.pdf", name: "회의 자료.pdf", sizeInBytes: 182_400)
      ]
    },
    Sample.message("jane", "Jane", "@minji are you coming?\nWe kept you a seat.", after: 60),
    Sample.message("me", "민지", "네, 지금 갑니다", after: 70) {
      $0.entry.message.replyTo = "id-jane-60"
      $0.repliedTo = RepliedMessage(name: "Jane", excerpt: "@minji are you coming?")
      $0.entry.isEdited = true
    },
    Sample.message("me", "민지", "5분만 기다려 주세요", after: 80),
    Sample.message("jane", "Jane", "waves", after: 130) { $0.entry.message.isAction = true },
    Sample.message("dana", "דנה", "שלום! I will be late.", after: 200),
    Sample.message("minsu", "민수", nil, after: 260) { $0.entry.isDeleted = true },
  ]

  private static let nextDay: [ArchivedMessage] = [
    Sample.message("jane", "Jane", "Yesterday in one picture:", after: 90_000) {
      $0.entry.message.images = ["cd34.png", "https://example.org/a b.jpg"]
    },
    Sample.message("me", "민지", "좋네요", after: 90_400) {
      $0.entry.message.replyTo = "unknown"
    },
  ]
}
