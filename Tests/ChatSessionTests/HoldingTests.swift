import LinePrompt
import TerminalText
import Testing

@testable import ChatSession

/// Arrivals that wait.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct HoldingTests {
  private func plain(_ parts: inout Session.Parts) {
    parts.settings.style = .plain
    parts.settings.holdsArrivals = true
    parts.transcript.style = .plain
  }

  @Test func `holds arrivals while a line is typed, and counts them`() async throws {
    try await Chat.run(plain) { chat in
      chat.prompt.type("typing")
      for text in ["one", "two", "three"] { await chat.arrives(text) }
      await chat.prompt.wait { chat.prompt.prompt == "lobby [3 new]> " }
      #expect(chat.prompt.count("one") == 0)
      chat.prompt.type("")
      let shown = chat.prompt.rows.filter { row in
        ["one", "two", "three"].contains { row.contains($0) }
      }
      #expect(shown.map { String($0.prefix { $0.isLetter }) } == ["one", "two", "three"])
      #expect(chat.prompt.prompt == "lobby> ")
    }
  }

  @Test func `shows what waited before what was entered`() async throws {
    try await Chat.run(plain) { chat in
      chat.prompt.type("mine")
      await chat.arrives("theirs")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 new]> " }
      chat.prompt.enter("mine")
      await chat.prompt.wait(for: "mine")
      let theirs = try #require(chat.prompt.rows.firstIndex { $0.contains("theirs") })
      let mine = try #require(chat.prompt.rows.firstIndex { $0.contains("mine") })
      #expect(theirs < mine)
    }
  }

  @Test(arguments: [Style.bubble, .compact]) func `holds nothing in other styles`(_ style: Style)
    async throws
  {
    try await Chat.run {
      $0.settings.holdsArrivals = true
      $0.settings.style = style
    } body: { chat in
      chat.prompt.type("typing")
      await chat.arrives("one")
      await chat.prompt.wait(for: "one")
    }
  }

  @Test func `is full by messages and by bytes`() {
    var held = HeldRows()
    held.append(["a"], messages: HeldRows.limit - 1)
    #expect(!held.isFull)
    held.append(["b"], messages: 1)
    #expect(held.isFull)
    #expect(held.take() == ["a", "b"])
    #expect(!held.isFull && held.rows.isEmpty && held.messageCount == 0)
    held.append([String(repeating: "x", count: HeldRows.byteLimit)], messages: 1)
    #expect(held.isFull)
  }

  @Test func `reads no further while too much waits, and goes on afterwards`() async throws {
    try await Chat.run(plain) { chat in
      chat.prompt.type("typing")
      for number in 0..<HeldRows.limit { await chat.arrives("m\(number)") }
      await chat.prompt.wait { chat.prompt.prompt == "lobby [\(HeldRows.limit) new]> " }
      await chat.arrives("one too many")
      #expect(chat.session.held.messageCount == HeldRows.limit)
      chat.prompt.type("")
      await chat.prompt.wait(for: "one too many")
    }
  }

  @Test func `ends although something waits`() async throws {
    let status = try await Chat.run(plain) { chat in
      chat.prompt.type("typing")
      await chat.arrives("one")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 new]> " }
      chat.session.end(130)
    }
    #expect(status == 130)
  }
}
