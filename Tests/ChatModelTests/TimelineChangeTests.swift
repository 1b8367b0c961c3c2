import Testing

@testable import ChatModel

struct TimelineChangeTests {
  private func edit(_ id: String, _ content: String, by author: String = "jane") -> Event {
    .edit(Edit(eventID: id, messageID: "m", profileID: author, content: content))
  }

  private func deletion(_ id: String, by author: String = "jane") -> Event {
    .deletion(Deletion(eventID: id, messageID: "m", profileID: author))
  }

  private func reaction(
    _ id: String, by author: String, _ reaction: String = "👍", isRemoved: Bool = false
  ) -> Event {
    .reaction(.sample(id, on: "m", by: author, reaction, isRemoved: isRemoved))
  }

  private let message = Event.sample("m", at: 1, "first")

  /// The message after the events, and what each of them was told to change.
  private func outcome(of events: [Event]) throws -> (TimelineEntry, [TimelineChange]) {
    var timeline = Timeline()
    var changes: [TimelineChange] = []
    for diff in timeline.apply(events, .live, now: .now) {
      if case .update(_, let change) = diff { changes.append(change) }
    }
    return (try #require(timeline.entry("m")), changes)
  }

  @Test func `lets the author edit, the last edit counting`() throws {
    let (entry, changes) = try outcome(of: [message, edit("1", "second"), edit("2", "third")])
    #expect(entry.message.content == "third" && entry.isEdited)
    #expect(changes == [.edited, .edited])
  }

  @Test func `ignores what others do to a message`() throws {
    let (entry, changes) = try outcome(of: [
      message, edit("1", "forged", by: "mallory"), deletion("2", by: "mallory"),
    ])
    #expect(entry.message.content == "first" && !entry.isEdited && !entry.isDeleted)
    #expect(changes.isEmpty)
  }

  @Test func `tells nothing of an edit that changes nothing`() throws {
    let (entry, changes) = try outcome(of: [message, edit("1", "first")])
    #expect(changes.isEmpty && !entry.isEdited)
  }

  @Test func `keeps nothing of what is deleted, and lets it stay deleted`() throws {
    let (entry, changes) = try outcome(of: [
      message, reaction("1", by: "bob"), deletion("2"), edit("3", "back"), deletion("4"),
      reaction("5", by: "bob"),
    ])
    #expect(entry.isDeleted && entry.message.content == nil && entry.reactions.isEmpty)
    #expect(changes.last == .deleted && changes.count == 2)
  }

  @Test func `counts each reaction of each profile once, in order`() throws {
    let (entry, changes) = try outcome(of: [
      message, reaction("1", by: "bob"), reaction("2", by: "bob"), reaction("3", by: "ann", "❤️"),
      reaction("4", by: "ann"), reaction("5", by: "bob", ""),
    ])
    let wanted = [
      ReactionTally(reaction: "👍", profileIDs: ["bob", "ann"]),
      ReactionTally(reaction: "❤️", profileIDs: ["ann"]),
    ]
    #expect(entry.reactions == wanted)
    #expect(changes.count == 3)
  }

  @Test func `takes back only one's own reactions`() throws {
    let (entry, changes) = try outcome(of: [
      message, reaction("1", by: "bob"), reaction("2", by: "ann", isRemoved: true),
      reaction("3", by: "bob", "❤️", isRemoved: true),
      reaction("4", by: "bob", isRemoved: true), reaction("5", by: "bob", isRemoved: true),
    ])
    #expect(entry.reactions.isEmpty)
    #expect(changes.count == 2)
    #expect(
      changes.last == .reacted(profileID: "bob", reaction: "👍", isRemoved: true))
  }

  @Test func `lets changes wait for their message, in their order`() throws {
    let (entry, changes) = try outcome(of: [
      edit("1", "second"), edit("2", "third"), edit("3", "forged", by: "mallory"),
      reaction("4", by: "bob"), message,
    ])
    #expect(entry.message.content == "third" && entry.isEdited)
    #expect(entry.reactions == [ReactionTally(reaction: "👍", profileIDs: ["bob"])])
    #expect(changes.isEmpty)
  }

  @Test func `lets a deletion wait for its message, but not another's`() throws {
    #expect(try outcome(of: [deletion("1"), message]).0.isDeleted)
    #expect(try !outcome(of: [deletion("1", by: "mallory"), message]).0.isDeleted)
  }

  @Test func `gives waiting changes up once, the oldest first, when they are too many`() {
    var waiting = WaitingChanges(capacity: 100)
    for number in 0..<1_000 {
      waiting.add(edit("\(number)", "x"), for: "m\(number)")
    }
    let kept = (0..<1_000).filter { !waiting.take(for: "m\($0)").isEmpty }
    #expect((75...100).contains(kept.count))
    #expect(kept == Array(1_000 - kept.count..<1_000))
    #expect(waiting.take(for: "m999").isEmpty)
  }

  @Test(arguments: [1, 2, 3]) func `bounds what waits however small the bound`(capacity: Int) {
    var waiting = WaitingChanges(capacity: capacity)
    for number in 0..<10 { waiting.add(edit("\(number)", "x"), for: "m") }
    let kept = waiting.take(for: "m")
    #expect(kept.count <= capacity)
    #expect(kept.last?.id == "9")
  }

  @Test func `takes so many reactions and no more`() {
    var timeline = Timeline()
    _ = timeline.live(.message(Message(id: "1", profileID: "jane", content: "a")))
    for number in 0..<60 { _ = react("\(number)", by: "bob", in: &timeline) }
    #expect(timeline.entry("1")?.reactions.count == 50)
    for number in 0..<1_100 { _ = react("0", by: "p\(number)", in: &timeline) }
    #expect(timeline.entry("1")?.reactions[0].profileIDs.count == 1_000)
    #expect(react(String(repeating: "x", count: 300), by: "ann", in: &timeline) == nil)
  }

  private func react(
    _ reaction: String, by profileID: String, in timeline: inout Timeline
  ) -> TimelineDiff? {
    timeline.live(
      .reaction(
        Reaction(
          eventID: "\(reaction) \(profileID)", messageID: "1", profileID: profileID,
          reaction: reaction)))
  }

  @Test func `bounds what waits by its size`() {
    var waiting = WaitingChanges(capacity: 1_000)
    let megabyte = String(repeating: "x", count: 1 << 20)
    for number in 0..<30 { waiting.add(edit("\(number)", megabyte), for: "m\(number)") }
    let kept = (0..<30).filter { !waiting.take(for: "m\($0)").isEmpty }
    #expect(kept.count <= 8 && kept.last == 29)
  }

  @Test func `compares messages by id`() {
    let one = Message(id: "1", profileID: "jane", content: "a")
    var other = one
    other.content = "b"
    #expect(one == other && Set([one, other]).count == 1)
    other = Message(id: "2", profileID: "jane", content: "a")
    #expect(one != other)
  }
}
