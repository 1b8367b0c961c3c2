import ChatModel
import SessionLog
import Testing
import Transport

@testable import ChatSession

/// What a network tells under ids of its own.
struct NetworkIDsTests {
  private func said(_ text: String, id: String, replyTo: String? = nil) -> Event {
    .message(Message(id: id, profileID: "me", content: text, replyTo: replyTo))
  }

  private func contents(_ events: [Event]) -> [String] {
    events.map { event in
      if case .message(let message) = event {
        "\(message.id) \(message.content ?? "") \(message.replyTo ?? "-")"
      } else {
        event.id
      }
    }
  }

  @Test func `one's own message of an earlier run is whole, however many parts it has`() {
    var ids = NetworkIDs()
    #expect(ids.isEmpty)
    let whole = Message(id: "own", profileID: "me", content: "one two")
    ids.restore([
      NetworkMessage(networkID: "n2", message: whole),
      NetworkMessage(networkID: "n1", message: whole),
    ])
    ids.note(["n3"], of: "now")
    #expect(!ids.isEmpty)
    let told = [
      said("one", id: "n1"), said("two", id: "n2"), said("three", id: "n3"),
      said("another's", id: "n4", replyTo: "n2"), said("one two", id: "own"),
    ]
    #expect(
      contents(told.map(ids.own)) == [
        "own one two -", "own one two -", "now three -", "n4 another's own", "own one two -",
      ])
  }

  @Test func `what is done by the network's id is done to one's own message`() {
    var ids = NetworkIDs()
    ids.note(["n1"], of: "own")
    let about = [
      Event.edit(Edit(eventID: "e", messageID: "n1", profileID: "me", content: "x")),
      .deletion(Deletion(eventID: "d", messageID: "n1", profileID: "me")),
      .reaction(Reaction(eventID: "r", messageID: "n1", profileID: "you", reaction: "+")),
    ].map(ids.own)
    let targets = about.map { event in
      switch event {
      case .edit(let edit): edit.messageID
      case .deletion(let deletion): deletion.messageID
      case .reaction(let reaction): reaction.messageID
      default: "-"
      }
    }
    #expect(targets == ["own", "own", "own"])
    #expect(about.map(\.id) == ["e", "d", "r"], "an event keeps its own id")
  }
}
