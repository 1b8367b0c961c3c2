import ChatModel
import TerminalText
import Testing

struct TranscriptRowTests {
  /// What there is to show, in an order that makes each kind stand by itself.
  private var messages: [ShownMessage] {
    [
      Sample.message("minsu", "민수", "안녕하세요", number: 1),
      Sample.message("jane", "Jane", "first line\n\n  indented\nlast", after: 60, number: 2),
      Sample.message("jane", "Jane", "a long line that needs to be continued below", number: 3) {
        $0.entry.isEdited = true
        $0.entry.reactions = [ReactionTally(reaction: "👍", profileIDs: ["a", "b"])]
      },
      Sample.message("me", "Max", "waves", after: 5, number: 4) {
        $0.entry.message.isAction = true
      },
      Sample.message("jane", "Jane", "yes", after: 6, number: 5) {
        $0.repliedTo = RepliedMessage(name: "민수", excerpt: "안녕하세요")
        $0.room = "lobby"
      },
      Sample.message("jane", "Jane", nil, after: -86_400, number: 6) {
        $0.entry.message.images = ["photo.png"]
        $0.entry.isLate = true
      },
      Sample.message("jane", "Jane", "secret", number: 7) { $0.entry.isDeleted = true },
    ]
  }

  @Test func `an answer tells what it answers when nothing was said there`() {
    func excerpt(_ change: (inout Message) -> Void, isDeleted: Bool = false) -> String {
      var message = Message(id: "m", profileID: "minsu", profileName: "민수")
      change(&message)
      var entry = TimelineEntry(message: message, time: Timestamp(milliseconds: 0))
      entry.isDeleted = isDeleted
      return RepliedMessage(name: "민수", original: entry, language: .english).excerpt
    }
    #expect(excerpt { $0.content = "\n said " } == " said")
    #expect(excerpt({ $0.content = "secret" }, isDeleted: true) == "(deleted)")
    #expect(excerpt { $0.images = ["a.png"] } == "(image)")
    #expect(excerpt { $0.files = [FileReference(path: "a")] } == "(file)")
  }

  @Test func `compact style has a row a message and hangs the rest below`() {
    #expect(
      Sample.screen(Sample.options(.compact, columns: 44), messages) == """
        1 08:16 민수: 안녕하세요
        2 08:17 Jane: first line

                        indented
                      last
        3 08:16 Jane: a long line that needs to be
                      continued below (edited)
                      👍 2
        4 08:16 * Max waves
        5 08:16 [lobby] Jane:
          > 민수: 안녕하세요
          yes
        6 08:16 Jane: [image 1: photo.png] (late,
                      2026-11-29)
        7 08:16 Jane: (deleted)
        """)
  }

  @Test func `compact style puts a long name on a row of its own`() {
    let name = String(repeating: "name ", count: 2000)
    #expect(
      Sample.screen(
        Sample.options(.compact, columns: 30), [Sample.message("x", name, "hello", number: 1)])
          == """
          1 08:16 name name name name…:
            hello
          """)
  }

  @Test func `below twenty columns bubbles become compact rows without the time`() {
    #expect(
      Sample.screen(
        Sample.options(.bubble, columns: 19),
        [Sample.message("x", "Jane", "hello there", number: 1)])
          == """
          1 Jane:
            hello there
          """)
  }

  @Test func `plain style says the text first and draws with ASCII only`() {
    #expect(
      Sample.screen(Sample.options(.plain, columns: 20, depth: .trueColor), messages) == """
        안녕하세요 (민수, 08:16, 1)
        first line

            indented
          last (Jane, 08:17, 2)
        a long line that needs to be continued below (Jane, 08:16, edited, 👍 2, 3)
        * Max waves (08:16, 4)
        yes (Jane, lobby, in reply to 민수: "안녕하세요", 08:16, 5)
        [image 1: photo.png] (Jane, 08:16, late, 2026-11-29, 6)
        (deleted) (Jane, 08:16, 7)
        """)
  }

  @Test(arguments: [
    (MessageUpdate.edited, Language.english, "message 12 edited by Jane: new text"),
    (.deleted, .english, "message 12 deleted by Jane"),
    (.reacted(by: "민수", reaction: "👍", removed: false), .english, "message 12: reaction by 민수: 👍"),
    (
      .reacted(by: "민수", reaction: "👍", removed: true), .english,
      "message 12: reaction taken back by 민수: 👍"
    ),
    (.edited, .korean, "12번 Jane 님이 수정함: new text"),
    (.deleted, .korean, "12번 Jane 님이 삭제함"),
  ])
  func `an update is a line that says what changed`(
    update: MessageUpdate, language: Language, expected: String
  ) {
    for style in Style.allCases {
      let shown = Sample.message("jane", "Jane", "new text", number: 12) { $0.update = update }
      #expect(Sample.screen(Sample.options(style, language: language), [shown]) == expected)
    }
  }

  @Test func `an update of a message without a number names its time`() {
    let shown = Sample.message("jane", "Jane", "new text") { $0.update = .edited }
    #expect(
      Sample.screen(Sample.options(.compact), [shown])
        == "message of 08:16 edited by Jane: new text")
  }

  @Test(arguments: [
    (Style.bubble, "           ── Monday, 30 November 2026 ──"),
    (.compact, "── Monday, 30 November 2026 ──"),
    (.plain, "Monday, 30 November 2026"),
  ])
  func `the date stands where it changes, and only there`(style: Style, expected: String) {
    var transcript = Transcript(options: Sample.options(style, columns: 54))
    let first = transcript.lines(for: Sample.message("a", "A", "one"))
    let second = transcript.lines(for: Sample.message("a", "A", "two"))
    let late = transcript.lines(
      for: Sample.message("a", "A", "three", after: -90_000) { $0.entry.isLate = true })
    let next = transcript.lines(for: Sample.message("a", "A", "four", after: 86_400))
    let dates = [first, second, late, next].map { rows in
      rows.filter { $0.contains("2026") && !$0.contains("late") }
    }
    #expect(dates[0] == [expected] && dates[1].isEmpty && dates[2].isEmpty)
    #expect(dates[3].first?.contains("Tuesday, 1 December 2026") == true)
  }

  @Test(arguments: [
    (Style.bubble, "              Jane has joined · 08:16"), (.compact, "08:16 -- Jane has joined"),
    (.plain, "Jane has joined (08:16)"),
  ])
  func `a notice looks like nobody's message`(style: Style, expected: String) {
    var transcript = Transcript(options: Sample.options(style, columns: 53))
    #expect(
      transcript.lines(forNotice: "Jane has joined\n", at: Sample.start).dropFirst() == [expected])
  }

  @Test func `a run of one person's messages shows the name once a minute`() {
    func names(_ messages: [ShownMessage], after change: (inout Transcript) -> Void) -> [Bool] {
      var transcript = Transcript(options: Sample.options(.bubble))
      return messages.map { message in
        defer { change(&transcript) }
        return transcript.lines(for: message).contains { $0.contains("Jane") }
      }
    }
    let messages = [0, 20, 59, 60].map { Sample.message("j", "Jane", "hi", after: $0) }
    #expect(names(messages) { _ in } == [true, false, false, true])
    #expect(names(messages) { $0.options.columns += 1 } == [true, true, true, true])
    #expect(
      names(messages) { _ = $0.lines(forNotice: "n", at: Sample.start) } == [
        true, true, true, true,
      ])
  }

  @Test(arguments: [
    ("Max, hi", true), ("hi @max!", true), ("maximum", false), ("climax", false), ("민수야", true),
    ("김민수", false), ("\u{1106}\u{1175}\u{11AB}\u{1109}\u{116E}", true), ("", false), ("Max야", true),
  ])
  func `a message that names oneself is marked`(text: String, isMention: Bool) {
    let other = Sample.screen(Sample.options(.compact), [Sample.message("x", "X", text)])
    #expect(other.contains("(mentions you)") == isMention)
    let own = Sample.screen(Sample.options(.compact), [Sample.message("me", "Max", text)])
    #expect(!own.contains("(mentions you)"))
  }

  @Test(arguments: [
    ("", "jane", "jane"), ("  ", "jane", "jane"), ("", "", "(no name)"),
    ("\u{200B}", "", "<U+200B>"),
    ("a\nb", "x", "a␊b"),
  ])
  func `a sender always has a name`(name: String, id: String, expected: String) {
    #expect(
      Sample.screen(Sample.options(.compact), [Sample.message(id, name, "hi")])
        == "08:16 \(expected): hi")
  }

  @Test(arguments: ["", " ", "\n\n", "\t"])
  func `an empty message says so`(content: String) {
    #expect(
      Sample.screen(Sample.options(.plain), [Sample.message("j", "Jane", content)])
        == "(empty) (Jane, 08:16)")
  }

  @Test func `a name of mixed letters is marked wherever it speaks`() {
    for style in Style.allCases {
      let screen = Sample.screen(Sample.options(style), [Sample.message("x", "pаypal", "hi")])
      #expect(screen.contains("mixed letters in the name"))
    }
  }

  @Test(arguments: [Style.compact, .plain], [1, 19, 20, 30, 31, 32, 33, 80])
  func `the short way writes what the long way does`(style: Style, columns: Int) {
    let texts = [
      "hi", "안녕하세요", "a b c d e f g h", " x", "x ", "x\ny", "…", "e\u{301}", "0123456789",
    ]
    for text in texts {
      for name in ["Jane", "민수", "דוד"] {
        for number in [nil, 12] {
          let options = Sample.options(style, columns: columns, depth: .ansi16)
          let short = Sample.message("j", name, text, number: number)
          // An empty tally shows nothing, but is not the plainest case.
          var long = short
          long.entry.reactions = [ReactionTally(reaction: "x", profileIDs: [])]
          #expect(Sample.screen(options, [short]) == Sample.screen(options, [long]))
        }
      }
    }
  }
}
