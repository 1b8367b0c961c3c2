import ChatModel
import LinePrompt
import Testing
import Transport

@testable import ChatSession

/// The way of one's own message.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SendingTests {
  @Test func `what is typed after leaving is said to nobody, and stays a draft`() async throws {
    try await Chat.run { chat in
      chat.session.isOver = true
      chat.prompt.enter("for the shell")
      #expect(chat.prompt.line == "for the shell")
      #expect(chat.session.current.outbox.isEmpty)
    }
  }

  @Test func `draws one's own bubble once, when the room has it`() async throws {
    try await Chat.run { chat in
      await chat.room.hold()
      chat.prompt.enter("hello there")
      await chat.room.waitUntilHeld(1)
      #expect(chat.prompt.count("hello there") == 0)
      #expect(chat.prompt.prompt == "lobby [1 pending]> ")
      await chat.room.release()
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      await chat.arrives("afterwards")
      await chat.prompt.wait(for: "afterwards")
      #expect(chat.prompt.count("hello there") == 1)
      #expect(await chat.said == ["hello there", "afterwards"])
    }
  }

  @Test func `draws a slow message as pending, and not again when it is sent`() async throws {
    try await Chat.run {
      $0.patience = .zero
    } body: { chat in
      await chat.room.hold()
      chat.prompt.enter("slow one")
      await chat.prompt.wait(for: "slow one")
      #expect(chat.prompt.count("sending") == 1)
      let shown = chat.prompt.rows.count
      await chat.room.release()
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      #expect(chat.prompt.rows.count == shown)
    }
  }

  @Test func `tells once that what was pending during a break is sent`() async throws {
    let broken = TransportError(.unreachable, path: "hub", reason: "the far side hung up")
    try await Chat.run {
      $0.patience = .zero
    } body: { chat in
      await chat.room.hold()
      chat.prompt.enter("before the break")
      await chat.prompt.wait(for: "before the break")
      await chat.room.change(to: .reconnecting(in: .seconds(1), reason: broken))
      await chat.prompt.wait(for: "hub: the far side hung up; calling again")
      chat.prompt.enter("during it")
      await chat.prompt.wait(for: "during it")
      await chat.room.change(to: .online)
      await chat.prompt.wait(for: "connected again")
      chat.prompt.enter("after it")
      await chat.prompt.wait(for: "after it")
      await chat.room.release()
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      #expect(chat.prompt.count("2 messages sent") == 1)
      chat.prompt.enter("later")
      await chat.prompt.wait(for: "later")
      #expect(chat.prompt.count("messages sent") == 1)
    }
  }

  @Test func `shows by number a message that is pending, and does not act on it yet`() async throws
  {
    try await Chat.run {
      $0.patience = .zero
    } body: { chat in
      await chat.room.hold()
      chat.prompt.enter("slow one")
      await chat.prompt.wait(for: "slow one")
      #expect(chat.prompt.rows.contains { $0.contains("slow one") && $0.contains("1") })
      chat.prompt.enter("/edit 1 fast one")
      #expect(chat.prompt.count("message 1 is not sent yet") == 1)
      await chat.room.release()
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      chat.prompt.enter("/edit 1 fast one")
      await chat.prompt.wait(for: "fast one")
    }
  }

  @Test func `does not draw an echo that comes before the receipt`() async throws {
    try await Chat.run { chat in
      await chat.room.hold()
      chat.prompt.enter("echoed")
      await chat.room.waitUntilHeld(1)
      let own = try #require(chat.session.current.outbox.items.first).event
      await chat.room.append(own)
      await chat.arrives("marker")
      await chat.prompt.wait(for: "marker")
      #expect(chat.prompt.count("echoed") == 0)
      await chat.room.release()
      await chat.prompt.wait(for: "echoed")
      #expect(chat.prompt.count("echoed") == 1)
      #expect(await chat.room.contents.count == 2)
    }
  }

  @Test func `tells why a message failed, and never calls it pending`() async throws {
    try await Chat.run {
      $0.patience = .zero
    } body: { chat in
      await chat.room.fail(with: .full)
      await chat.room.hold()
      chat.prompt.enter("doomed")
      await chat.room.waitUntilHeld(1)
      await chat.room.release()
      await chat.prompt.wait(for: "not sent: “doomed”: /room: no space")
      #expect(chat.prompt.prompt == "lobby [1 failed]> ")
    }
  }

  @Test func `does not draw as pending what failed before patience ran out`() async throws {
    try await Chat.run {
      $0.patience = .milliseconds(20)
    } body: { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait(for: "not sent")
      await chat.room.hold()
      chat.prompt.enter("a second one, whose patience ends later")
      await chat.prompt.wait(for: "sending")
      #expect(chat.prompt.count("doomed") == 1)
    }
  }

  @Test func `sends again in order and under the first ids`() async throws {
    try await Chat.run { chat in
      await chat.room.fail(with: .full)
      for text in ["one", "two", "three"] { chat.prompt.enter(text) }
      await chat.prompt.wait { chat.prompt.prompt == "lobby [3 failed]> " }
      let ids = chat.session.current.outbox.items.map(\.id)
      await chat.room.fail(with: nil)
      chat.prompt.enter("/retry")
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      #expect(await chat.room.contents.map(\.id) == ids)
      #expect(await chat.said == ["one", "two", "three"])
      chat.prompt.enter("/retry")
      #expect(chat.prompt.count("nothing failed") == 1)
    }
  }

  @Test func `takes a failed message that the room has after all for sent`() async throws {
    try await Chat.run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("survivor")
      await chat.prompt.wait(for: "not sent")
      let own = try #require(chat.session.current.outbox.items.first).event
      await chat.room.append(own)
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      #expect(chat.prompt.count("Kim") == 2, "the title and the bubble")
    }
  }

  @Test func `gives up what failed`() async throws {
    try await Chat.run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait(for: "not sent")
      chat.prompt.enter("/discard")
      #expect(chat.prompt.count("1 given up") == 1)
      #expect(chat.prompt.prompt == "lobby> ")
    }
  }

  @Test func `a repeat says since when the room may have it`() {
    var outbox = Outbox()
    outbox.append(.said("a"))
    #expect(outbox.takePending(readUpTo: Cursor(value: "7")).map(\.since) == [nil])
    outbox.fail("id of a", reason: "")
    #expect(outbox.retryFailed().map(\.id) == ["id of a"])
    #expect(outbox.takePending(readUpTo: Cursor(value: "9")).map(\.since) == [Cursor(value: "7")])
  }

  @Test func `sends what is left of last time before what was said since`() {
    var outbox = Outbox()
    outbox.append(.said("new"))
    outbox.restore([(.said("first"), Cursor(value: "7")), (.said("second"), nil)])
    let taken = outbox.takePending(readUpTo: Cursor(value: "9"))
    #expect(taken.map(\.event.id) == ["id of first", "id of second", "id of new"])
    #expect(taken.map(\.since) == [Cursor(value: "7"), nil, nil])
  }

  // MARK: - Leaving

  @Test func `leaves at once when everything is sent`() async throws {
    let status = try await Chat.run { chat in
      chat.prompt.enter("/quit")
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
    #expect(status == 0)
  }

  @Test func `warns once of what is not sent, then leaves and shows it`() async throws {
    let status = try await Chat.run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 failed]> " }
      chat.prompt.events.onEndOfInput()
      #expect(chat.prompt.count("1 not sent yet") == 1)
      chat.prompt.events.onEndOfInput()
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(chat.prompt.count("not sent: doomed") == 1)
    }
    #expect(status == 75)
  }

  @Test func `leaves by itself when the room has what it waited for`() async throws {
    let status = try await Chat.run { chat in
      await chat.room.hold()
      chat.prompt.enter("last words")
      chat.prompt.enter("/quit")
      #expect(chat.prompt.count("not sent yet") == 0)
      #expect(chat.prompt.isRunning)
      await chat.room.release()
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
    #expect(status == 0)
  }

  @Test func `tells what does not arrive soon after one wants to leave`() async throws {
    try await Chat.run {
      $0.patience = .milliseconds(1)
    } body: { chat in
      await chat.room.hold()
      chat.prompt.enter("last words")
      chat.prompt.enter("/quit")
      await chat.prompt.wait(for: "1 not sent yet")
    }
  }

  @Test func `never calls unsent what is on its way, however often it is left`() async throws {
    let status = try await Chat.run { chat in
      await chat.room.hold()
      chat.prompt.enter("last words")
      await chat.room.waitUntilHeld(1)
      for _ in 0..<3 { chat.prompt.events.onEndOfInput() }
      #expect(chat.prompt.isRunning)
      await chat.room.release()
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(chat.prompt.count("not sent: ") == 0)
    }
    #expect(status == 0)
  }

  @Test func `stays when something is said after the warning`() async throws {
    try await Chat.run { chat in
      await chat.room.hold()
      chat.prompt.enter("one")
      chat.prompt.enter("/quit")
      chat.prompt.enter("two")
      await chat.room.release()
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
      #expect(chat.prompt.isRunning)
    }
  }

  @Test func `asks nobody when the output is gone`() async throws {
    let status = try await Chat.run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait(for: "not sent")
      chat.prompt.isGone = true
      chat.prompt.events.onEndOfInput()
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
    #expect(status == 75)
  }
}
