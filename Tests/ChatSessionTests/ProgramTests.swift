import ChatModel
import Glibc
import LinePrompt
import TerminalText
import TestSupport
import Testing

@testable import ChatSession

/// The editor and the pager.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ProgramTests {
  private let path = "/usr/bin:/bin"

  @Test func `the line comes back from the editor changed, with its lines`() async throws {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    let editor = folder.write(
      "my editor", "#!/bin/sh\nprintf 'more\\n' >> \"$1\"\n", mode: 0o700)
    try await Chat.run {
      $0.environment = ["EDITOR": "'\(editor)'", "PATH": path, "TMPDIR": folder.path]
    } body: { chat in
      chat.prompt.type("draft")
      chat.prompt.events.onEditorRequested()
      await chat.prompt.wait { chat.prompt.line == "draft\nmore" }
      #expect(!chat.prompt.isLent && chat.prompt.lendCount == 1)
      #expect(FileNames.entries(of: folder.path) == ["my editor"], "no draft is left behind")
    }
  }

  @Test(arguments: [
    ("false", "false ended with status 1"), ("/nowhere/ed", "ended with status 127"),
  ])
  func `the line stays when the editor fails`(_ editor: String, _ reason: String) async throws {
    try await Chat.run {
      $0.environment = ["VISUAL": editor, "PATH": path]
    } body: { chat in
      chat.prompt.type("draft")
      chat.prompt.events.onEditorRequested()
      await chat.prompt.wait(for: reason)
      #expect(chat.prompt.line == "draft" && !chat.prompt.isLent)
    }
  }

  @Test func `the line stays when there is no editor or no room for the draft`() async throws {
    try await Chat.run {
      $0.environment = ["PATH": "/nowhere"]
    } body: { chat in
      chat.prompt.type("draft")
      chat.prompt.events.onEditorRequested()
      #expect(chat.prompt.count("no editor: set EDITOR to one") == 1)
      #expect(chat.prompt.line == "draft")
    }
    try await Chat.run {
      $0.environment = ["EDITOR": "true", "TMPDIR": "/dev/null"]
    } body: { chat in
      chat.prompt.type("draft")
      chat.prompt.events.onEditorRequested()
      await chat.prompt.wait(for: "/dev/null: Not a directory")
      #expect(chat.prompt.line == "draft")
    }
  }

  @Test func `what arrives meanwhile waits, and is shown afterwards in order`() async throws {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    let gate = "\(folder.path)/gate"
    try #require(mkfifo(gate, 0o600) == 0)
    folder.write("editor", "#!/bin/sh\nread x < '\(gate)'\n", mode: 0o700)
    try await Chat.run {
      $0.environment = ["EDITOR": "\(folder.path)/editor", "PATH": path]
    } body: {
      chat in
      chat.prompt.events.onEditorRequested()
      await chat.prompt.wait { chat.prompt.isLent }
      for text in ["one", "two"] { await chat.arrives(text) }
      await chat.prompt.wait { chat.prompt.prompt == "lobby [2 new]> " }
      #expect(chat.prompt.count("one") == 0)
      let writer = open(gate, O_WRONLY | O_CLOEXEC)
      close(writer)
      await chat.prompt.wait(for: "two")
      #expect(chat.prompt.count("one") == 1 && chat.prompt.prompt == "lobby> ")
    }
  }

  // MARK: - Reading back

  private func read(_ command: String) async throws -> String {
    signal(SIGPIPE, SIG_IGN)
    let folder = TemporaryFolder()
    defer { folder.remove() }
    let past = (1...60).map { Event.said("message \($0).", id: "m\($0)") }
    try await Chat.run(in: past) {
      $0.environment = ["PAGER": "cat > '\(folder.path)/out' #", "PATH": path]
      $0.settings.tail = 60
    } body: { chat in
      await chat.prompt.wait(for: "message 60.")
      chat.prompt.enter(command)
      await chat.prompt.wait { chat.prompt.lendCount == 1 && !chat.prompt.isLent }
    }
    return String(decoding: readFile("\(folder.path)/out", limit: 1 << 20) ?? [], as: UTF8.self)
  }

  @Test func `the pager gets everything, from a message, or from a day`() async throws {
    let all = try await read("/history")
    #expect(all.contains("message 1.") && all.contains("message 60."))
    let part = try await read("/history 40")
    #expect(
      !part.contains("message 19.") && part.contains("message 20.") && part.contains("message 60."))
    #expect(try await read("/history 2026-11-01").contains("message 1."))
    #expect(try await !read("/history 2030-01-01").contains("message 60."))
  }

  @Test func `what is only read back gets no number that commands cannot use`() async throws {
    let past = (1...60).map { Event.said("message \($0).", id: "m\($0)") }
    try await Chat.run(in: past) {
      $0.transcript.style = .plain
      $0.settings.tail = 3
    } body: { chat in
      await chat.prompt.wait(for: "message 60.")
      chat.prompt.enter("/history")
      await chat.prompt.wait { chat.prompt.count("message 60.") == 2 }
      chat.prompt.enter("next")
      await chat.prompt.wait(for: "next")
      #expect(chat.prompt.rows.last?.hasSuffix(", 4)") == true)
    }
  }

  @Test func `shows the rows itself when the pager cannot be had`() async throws {
    for environment in [["PAGER": "/nowhere/pager", "PATH": path], ["PATH": "/nowhere"]] {
      signal(SIGPIPE, SIG_IGN)
      try await Chat.run(in: [.said("read me")]) {
        $0.environment = environment
      } body: { chat in
        await chat.prompt.wait(for: "read me")
        chat.prompt.enter("/history")
        await chat.prompt.wait { chat.prompt.count("read me") == 2 }
      }
    }
  }

  @Test func `shows the rows itself in plain style`() async throws {
    try await Chat.run(in: [.said("read me")]) {
      $0.environment = ["PAGER": "cat", "PATH": path]
      $0.transcript.style = .plain
    } body: { chat in
      await chat.prompt.wait(for: "read me")
      chat.prompt.enter("/history")
      await chat.prompt.wait { chat.prompt.count("read me") == 2 }
      #expect(chat.prompt.lendCount == 0)
    }
  }
}
