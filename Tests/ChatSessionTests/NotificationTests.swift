import ChatModel
import TestSupport
import Testing

@testable import ChatSession

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NotificationTests {
  private let folder = TemporaryFolder()

  @Test func `hands a mention to the user's command as it is, never to a shell`() async throws {
    let file = "\(folder.path)/told"
    try await Chat.run {
      $0.settings.notify = [
        "/bin/sh", "-c", #"printf '%s|' "$@" >"$0.new"; mv "$0.new" "$0""#, file, "{room}",
        "{name}", "{text}", "literal {text}",
      ]
      $0.environment = ["PATH": "/usr/bin:/bin"]
    } body: { chat in
      await chat.arrives("nothing for you")
      await chat.arrives("Kim: $(touch pwned) `id` \u{1B}[2J")
      while readFile(file, limit: 1_000) == nil { try await Task.sleep(for: .milliseconds(10)) }
    }
    let told = String(decoding: readFile(file, limit: 1_000) ?? [], as: UTF8.self)
    #expect(told.hasPrefix("lobby|Jane|Kim: $(touch pwned) `id` "))
    #expect(told.hasSuffix("|literal {text}|"))
    #expect(!told.contains("\u{1B}"))
  }

  @Test func `a command that is not there is told once`() async throws {
    try await Chat.run {
      $0.settings.notify = ["/nowhere/notify"]
    } body: { chat in
      for text in ["Kim 1", "Kim 2"] {
        await chat.arrives(text)
        await chat.prompt.wait(for: text)
      }
      await chat.prompt.wait(for: "notify: ")
      #expect(chat.prompt.count("notify: ") == 1)
    }
  }
}
