import Testing
import Transport

@testable import ChatSession

/// What the way to the room asks.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct QuestionTests {
  private let desk = QuestionDesk()

  private func question(_ text: String, _ kind: Question.Kind = .secret) -> Question {
    Question(asker: "ssh host", text: text, kind: kind)
  }

  private func run(_ body: (Chat) async throws -> Void) async throws {
    try await Chat.run({ $0.questions = desk }, body: body)
  }

  @Test func `asks one question after the other, and keeps nothing`() async throws {
    try await run { chat in
      let first = Task { await desk.answer(to: question("password:")) }
      await chat.prompt.wait { chat.prompt.asked.count == 1 }
      let second = Task { await desk.answer(to: question("sure?\u{1B}[2J\nreally?", .visible)) }
      chat.prompt.answer("hunter2")
      #expect(await first.value == "hunter2")
      await chat.prompt.wait { chat.prompt.asked.count == 2 }
      chat.prompt.answer("yes")
      #expect(await second.value == "yes")
      #expect(chat.prompt.asked.map(\.isSecret) == [true, false])
      #expect(chat.prompt.rows.contains("-- ssh host: password:"))
      #expect(chat.prompt.count("really?") == 1)
      #expect(chat.prompt.count("\u{1B}[2J") == 0)
      #expect(chat.prompt.count("hunter2") == 0)
      #expect(chat.prompt.history.isEmpty)
    }
  }

  @Test func `a notice wants no answer`() async throws {
    try await run { chat in
      #expect(await desk.answer(to: question("touch your key", .notice)) == "")
      #expect(chat.prompt.count("touch your key") == 1)
      #expect(chat.prompt.asked.isEmpty)
    }
  }

  @Test func `a question that is withdrawn makes way for the next`() async throws {
    try await run { chat in
      let first = Task { await desk.answer(to: question("first")) }
      await chat.prompt.wait { chat.prompt.asked.count == 1 }
      let second = Task { await desk.answer(to: question("second")) }
      first.cancel()
      #expect(await first.value == nil)
      await chat.prompt.wait { chat.prompt.asked.count == 2 }
      chat.prompt.answer(nil)
      #expect(await second.value == nil)
    }
  }

  @Test func `leaving leaves questions without an answer`() async throws {
    var tasks: [Task<String?, Never>] = []
    try await run { chat in
      for text in ["first", "second"] {
        tasks.append(Task { await desk.answer(to: question(text)) })
      }
      await chat.prompt.wait { chat.prompt.asked.count == 1 }
    }
    for task in tasks { #expect(await task.value == nil) }
    #expect(await desk.answer(to: question("late")) == nil)
  }
}
