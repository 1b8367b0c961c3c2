import ChatModel
import TerminalText
import Testing

struct TranscriptBubbleTests {
  @Test func `a conversation stands at the left and at the right`() {
    let screen = Sample.screen(
      Sample.options(.bubble),
      [
        Sample.message("minsu", "민수", "안녕하세요", number: 1),
        Sample.message("minsu", "민수", "오늘 만날까요?", after: 10, number: 2),
        Sample.message("me", "Max", "네 👍🏽", after: 60, number: 3),
        Sample.message("minsu", "민수", "좋아요", after: 61, number: 4),
      ])
    #expect(
      screen == """
        ╭─ 1 · 민수 ─╮
        │ 안녕하세요 │
        ╰────────────╯ 08:16
        ╭─ 2 ────────────╮
        │ 오늘 만날까요? │
        ╰────────────────╯ 08:16
                                                          ╭─ 3 ───╮
                                                          │ 네 👍🏽 │
                                                    08:17 ╰───────╯
        ╭─ 4 · 민수 ─╮
        │ 좋아요     │
        ╰────────────╯ 08:17
        """)
  }

  @Test func `a narrow terminal has the time within the border`() {
    let screen = Sample.screen(
      Sample.options(.bubble, columns: 20, language: .korean),
      [
        Sample.message("jane", "Jane", "Could you look at this?", number: 7) {
          $0.entry.isEdited = true
        },
        Sample.message("me", "Max", "ok", after: 1, number: 8),
      ])
    #expect(
      screen == """
        ╭─ 7 · Jane ─────╮
        │ Could you look │
        │ at this?       │
        │ (수정됨)       │
        ╰─ 08:16 오전 ───╯
           ╭─ 8 ──────────╮
           │ ok           │
           ╰─ 08:16 오전 ─╯
        """)
  }

  @Test func `replies, pictures, files, marks and reactions have their rows`() {
    let screen = Sample.screen(
      Sample.options(.bubble),
      [
        Sample.message("jane", "Jane", "See, max!", number: 12) {
          $0.repliedTo = RepliedMessage(name: "민수", excerpt: "one\ntwo")
          $0.entry.message.images = [
            "a/b/photo.png", "https://x.org/p/q.jpg?size=1", "Data:image/png;base64,iVBO/Rw0=",
          ]
          $0.entry.message.files = [
            FileReference(path: "r.files/ab.pdf", name: "plan.pdf", sizeInBytes: 12_345)
          ]
          $0.entry.isEdited = true
          $0.entry.reactions = [
            ReactionTally(reaction: "👍", profileIDs: ["a", "b"]),
            ReactionTally(reaction: "🎉", profileIDs: ["c"]),
          ]
        }
      ])
    #expect(
      screen == """
        ╭─ 12 · Jane ───────────────╮
        │ > 민수: one two           │
        │ See, max!                 │
        │ [image 1: photo.png]      │
        │ [image 2: q.jpg]          │
        │ [image 3]                 │
        │ [file: plan.pdf, 12.3 KB] │
        ╰─ mentions you · edited ───╯ 08:16
          👍 2  🎉
        """)
  }

  @Test func `one's own messages show how far they have come`() {
    let screen = Sample.screen(
      Sample.options(.bubble, columns: 46),
      [
        Sample.message("me", "Max", "waves", number: 1) {
          $0.entry.message.isAction = true
          $0.delivery = .pending
        },
        Sample.message("me", "Max", "ok", number: 2) { $0.delivery = .failed(reason: "no route") },
      ])
    #expect(
      screen == """
                                      ╭─ 1 ─────────╮
                                      │ * Max waves │
                                08:16 ╰─ sending ───╯
                             ╭─ 2 ──────────────────╮
                             │ ok                   │
                       08:16 ╰─ not sent: no route ─╯
        """)
  }

  @Test func `without UTF-8 boxes are drawn in ASCII`() {
    let screen = Sample.screen(
      Sample.options(.bubble, isUTF8: false),
      [Sample.message("jane", "Jane", "hi", number: 3) { $0.room = "lobby" }])
    #expect(
      screen == """
        .- 3 - Jane - lobby -.
        | hi                 |
        '--------------------' 08:16
        """)
  }

  @Test func `colours are reset at the end of each row`() {
    var transcript = Transcript(options: Sample.options(.bubble, depth: .palette256))
    let rows = transcript.lines(for: Sample.message("jane", "Jane", "Max, hi", number: 3))
    #expect(
      rows.dropFirst() == [
        "\u{1B}[38;5;31m╭─ 3 · Jane ─────╮\u{1B}[0m",
        "\u{1B}[38;5;31m│\u{1B}[0m Max, hi        \u{1B}[38;5;31m│\u{1B}[0m",
        "\u{1B}[38;5;31m╰─ \u{1B}[1mmentions you\u{1B}[0m\u{1B}[38;5;31m ─╯\u{1B}[0m 08:16",
      ])
  }

  @Test func `the right edge is at column 100 however wide the terminal is`() {
    var transcript = Transcript(options: Sample.options(.bubble, columns: 300))
    let rows = transcript.lines(
      for: Sample.message("me", "Max", String(repeating: "word ", count: 90)))
    #expect(rows.dropFirst().allSatisfy { TextMeasure().columns($0) == 100 })
  }

  @Test func `text from right to left keeps the border and the time in their places`() {
    let screen = Sample.screen(
      Sample.options(.bubble), [Sample.message("david", "דוד", "שלום 123", number: 1)])
    #expect(
      screen == """
        ╭─ 1 · דוד\u{200E} ─╮
        │ שלום 123\u{200E}  │
        ╰───────────╯ 08:16
        """)
  }
}
