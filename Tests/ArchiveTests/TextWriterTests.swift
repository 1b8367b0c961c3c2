import ChatModel
import TerminalText
import Testing

@testable import Archive

struct TextWriterTests {
  @Test func `a conversation is lines below their days`() {
    #expect(
      Sample.export(.text, Conversation.messages) == """
        lobby

        ── Monday, 30 November 2026 ──
        08:16 민수: 긴급! 오늘 회의는 세 시입니다
              👍 2  😮
        08:16 민수: 자료는 여기 있어요
              [file: 회의 자료.pdf, 182.4 KB]
        08:17 Jane: @minji are you coming?
              We kept you a seat.
        08:17 민지: > Jane: @minji are you coming?
              네, 지금 갑니다 (edited)
        08:17 민지: 5분만 기다려 주세요
        08:18 * Jane waves
        08:19 דנה: שלום! I will be late.
        08:20 민수: (deleted)

        ── Tuesday, 1 December 2026 ──
        09:16 Jane: Yesterday in one picture:
              [image: cd34.png]
              [image: a b.jpg] <https://example.org/a%20b.jpg>
        09:22 민지: > an earlier message
              좋네요

        """)
  }

  @Test func `Korean has its own words, days and hours`() {
    let messages = [
      Sample.message("jane", "Jane", "안녕") { $0.entry.isEdited = true },
      Sample.message("jane", "Jane", nil, after: 40_000) { $0.entry.isDeleted = true },
    ]
    #expect(
      Sample.export(.text, messages, options: Sample.options(language: .korean)) == """
        lobby

        ── 2026년 11월 30일 월요일 ──
        08:16 오전 Jane: 안녕 (수정됨)
        07:22 오후 Jane: (삭제된 메시지)

        """)
  }

  @Test func `where there are several rooms, each message tells its own`() {
    let messages = [
      Sample.message("jane", "Jane", "here"),
      Sample.message("jane", "Jane", "nods", room: "team") { $0.entry.message.isAction = true },
    ]
    let text = Sample.export(
      .text, messages, options: Sample.options(rooms: ["lobby", "team", "a", "b", "c"]))
    #expect(text.hasPrefix("lobby, team, a and 2 more\n"))
    #expect(text.hasSuffix("08:16 [lobby] Jane: here\n08:16 [team] * Jane nods\n"))
  }

  @Test func `days begin where the zone says`() {
    var options = Sample.options()
    options.zone = .fixed(secondsFromUTC: 9 * 3600)
    let messages = [
      Sample.message("jane", "Jane", "late", after: 24_000),
      Sample.message("jane", "Jane", "later", after: 25_000),
    ]
    let text = Sample.export(.text, messages, options: options)
    #expect(text.contains("2026 ──\n23:56 Jane: late\n\n── Tuesday, 1 December 2026 ──\n00:12"))
  }

  @Test func `nothing in any field acts on a terminal`() {
    let text = Sample.export(.text, Hostile.messages, options: Hostile.options())
    #expect(!text.unicodeScalars.contains(where: Hostile.isForbidden))
  }

  @Test func `nothing that is written looks like another message`() {
    let options = Sample.options()
    let text = Sample.export(.text, Hostile.messages, options: options)
    let heads = text.split(separator: "\n").dropFirst(2).filter { !$0.hasPrefix(" ") }
    #expect(heads.count == Hostile.messages.count)
    #expect(heads.allSatisfy { $0.hasPrefix("08:") })
  }

  @Test(arguments: Array(Hostile.texts.suffix(3)))
  func `a long name is cut`(name: String) {
    let text = Sample.export(.text, [Sample.message("x", name, "hello")])
    #expect(text.utf8.count < 600)
    #expect(text.hasSuffix(": hello\n"))
  }

  @Test func `who has no name is called by the id`() {
    let text = Sample.export(
      .text, [Sample.message("x1", " ", "one"), Sample.message("", "", "two")])
    #expect(text.hasSuffix("x1: one\n08:16 (no name): two\n"))
  }

  @Test func `a message without words is told to be empty, or by what came with it`() {
    let text = Sample.export(
      .text,
      [
        Sample.message("j", "J", " \n "),
        Sample.message("j", "J", nil) {
          $0.entry.message.images = ["p/a.png"]
          $0.entry.message.files = [
            FileReference(path: "p/a.png", name: "sea.png", sizeInBytes: 900)
          ]
        },
      ])
    #expect(text.hasSuffix("J: (empty)\n08:16 J: [image: sea.png, 900 B]\n"))
  }

  @Test func `an image that is its own address is not called by its contents`() {
    let message = Sample.message("j", "J", nil) {
      $0.entry.message.images = ["DATA:image/png;base64,iVBO/Rw0="]
    }
    #expect(Sample.export(.text, [message]).hasSuffix("J: [image: image]\n"))
  }
}
