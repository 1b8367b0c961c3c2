import ChatModel
import Glibc
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// Several rooms of one far side, as the channels of one server.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SharedFarSideTests {
  private static let broken = ConnectionState.reconnecting(
    in: .seconds(1), reason: TransportError(.unreachable, reason: "the cable was pulled"))

  private var oneLine: Capabilities {
    var capabilities = Capabilities(
      history: .none, order: .total, removesDuplicates: false, maximumEventBytes: 10,
      excess: .split, multiline: false)
    capabilities.hasKeys = true
    return capabilities
  }

  private func join(_ room: String, in chat: Chat) async {
    chat.prompt.enter("/join chat://host/\(room)")
    await chat.prompt.wait(for: "welcome to \(room)")
  }

  @Test func `a break is told once for all, and so is its end`() async throws {
    try await Chat.run { chat in
      for room in ["a", "b"] { await join(room, in: chat) }
      let rooms = chat.session.rooms.filter(\.isRemote)
      #expect(await eventually { rooms.allSatisfy { $0.connection == .online } })
      for room in rooms { chat.session.receive([.state(Self.broken)], in: room) }
      #expect(chat.prompt.count("the cable was pulled") == 1)
      // It is the way to both.
      #expect(chat.prompt.count("[a] the cable") + chat.prompt.count("[b] the cable") == 0)
      for room in rooms { chat.session.receive([.state(.online)], in: room) }
      #expect(chat.prompt.count("connected again") == 1)
    }
  }

  @Test func `a new name is told once for all rooms`() async throws {
    try await Chat.run { chat in
      for room in ["a", "b"] {
        await join(room, in: chat)
        await chat.others["chat://host/\(room)"].append(.said("hi in \(room)"))
        await chat.prompt.wait(for: "hi in \(room)")
      }
      let change = ProfileChange(eventID: "e", profileID: "jane", profileName: "Jean")
      for room in ["a", "b"] { await chat.others["chat://host/\(room)"].append(.profile(change)) }
      #expect(
        await eventually {
          chat.session.rooms.allSatisfy {
            !$0.isRemote || $0.profiles.name(of: "jane") == "Jean"
          }
        })
      #expect(chat.prompt.count("is now called Jean") == 1)
    }
  }

  @Test func `a command is refused and comes back while nobody is connected`() async throws {
    try await Chat.run { chat in
      await join("a", in: chat)
      let room = chat.session.current
      #expect(await eventually { room.connection == .online })
      chat.session.receive([.state(Self.broken)], in: room)
      chat.prompt.enter("/topic tea")
      #expect(chat.prompt.line == "/topic tea")
      #expect(chat.prompt.count("not connected; /topic was not sent") == 1)
      #expect(await chat.others.farSide.performed.isEmpty)
    }
  }

  @Test func `many messages at once are sent when Enter says so again`() async throws {
    try await Chat.run { chat in
      chat.others.farCapabilities = oneLine
      await join("a", in: chat)
      let text = "1\n2\n\n3\n4 and something"
      chat.prompt.enter(text)
      // Four rows, of which one is two messages, are five.
      #expect(chat.prompt.line.isEmpty)
      chat.prompt.enter(text + "\n5")
      #expect(chat.prompt.line == text + "\n5")
      #expect(chat.prompt.count("these are 6 messages to a") == 1)
      chat.prompt.enter(text + "\n5")
      #expect(chat.prompt.line.isEmpty)
      await chat.waitUntilDelivered()
      chat.prompt.enter(text + "\n5")
      #expect(chat.prompt.line == text + "\n5")
    }
  }

  @Test func `what opens a room is kept nowhere`() async throws {
    try await Chat.run { chat in
      chat.others.farCapabilities = oneLine
      await join("a", in: chat)
      chat.prompt.enter("/join #tea sesame")
      await chat.prompt.wait(for: "welcome to #tea")
      #expect(await chat.others.farSide.keys == ["#tea": "sesame"])
      #expect(chat.session.current.address.text == "chat://host/#tea")
      #expect(chat.prompt.history.last == "/join #tea")
    }
  }

  @Test func `whoever speaks to the user has a room, which is not turned to`() async throws {
    try await Chat.run { chat in
      await chat.others.farSide.tell([.offer(room: "bob")], in: "a")
      await chat.others["chat://host/bob"].append(.said("psst", from: "bob", name: "Bob"))
      await join("a", in: chat)
      await chat.prompt.wait(for: "bob writes to you")
      await chat.prompt.wait(for: "psst")
      #expect(chat.session.current.name == "a")
      #expect(chat.prompt.count("psst") == 1)
      chat.session.receive([.offer(room: "bob")], in: chat.session.current)
      #expect(chat.session.rooms.count == 3)
      for number in 0..<100 {
        chat.session.receive([.offer(room: "n\(number)")], in: chat.session.current)
      }
      #expect(chat.session.rooms.count == 22)
    }
  }

  @Test func `what a room is about is known when it changes`() async throws {
    try await Chat.run { chat in
      await chat.others.farSide.tell([.title("tea"), .newTitle("coffee")], in: "a")
      await join("a", in: chat)
      #expect(await eventually { chat.session.current.title == "coffee" })
      #expect(chat.prompt.count("coffee") == 0)
    }
  }

  @Test func `a profile is told in words and in local time`() async throws {
    try await Chat.run { chat in
      var profile = Profile(id: "jane", name: "Jane")
      profile.fields = [
        "signedOn": "2026-11-30T08:16:00Z", "realName": "Jane Doe", "zodiac": "cat",
        "account": "jd",
      ]
      await chat.others.farSide.set(profile: profile)
      await join("a", in: chat)
      chat.prompt.enter("/profile jane")
      await chat.prompt.wait(for: "zodiac: cat")
      let rows = chat.prompt.rows
      let facts = [
        "real name: Jane Doe", "account: jd", "signed on: 2026-11-30 08:16", "zodiac: cat",
      ]
      let places = facts.compactMap { fact in rows.firstIndex { $0.contains(fact) } }
      #expect(places.count == 4 && places == places.sorted(), "\(rows)")
    }
  }

  @Test func `a room that nobody has spoken in is called new`() async throws {
    let folder = TemporaryFolder()
    for part in ["banter", "banter/rooms"] { mkdir("\(folder.path)/\(part)", 0o700) }
    folder.write("banter/rooms/team.jsonl", "")
    try await Chat.run {
      $0.folders = Folders(environment: ["XDG_DATA_HOME": folder.path], home: folder.path)
    } body: { chat in
      let (new, known) = (try RoomAddress("teem"), try RoomAddress("team"))
      #expect(chat.session.isNew(new) && !chat.session.isNew(known))
      chat.prompt.enter("/join teem")
      #expect(chat.prompt.count("new room teem") == 1)
    }
  }
}
