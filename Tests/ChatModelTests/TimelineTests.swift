import Testing

@testable import ChatModel

/// A room's messages in memory.
@Suite final class TimelineTests {
  private var timeline = Timeline()
  private let now = Timestamp(milliseconds: 1_000_000_000)

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

  private func message(_ id: String, _ seconds: Int64?, by profile: String = "a") -> Event {
    .message(Message(id: id, profileID: profile, content: id, createdAt: seconds.map(at)))
  }

  private func edit(_ id: String, of messageID: String, by profile: String = "a") -> Event {
    .edit(Edit(eventID: id, messageID: messageID, profileID: profile, content: id))
  }

  private func deletion(_ id: String, of messageID: String, by profile: String = "a") -> Event {
    .deletion(Deletion(eventID: id, messageID: messageID, profileID: profile))
  }

  private func reaction(_ id: String, _ emoji: String, removed: Bool = false) -> Event {
    .reaction(
      Reaction(
        eventID: id, messageID: "1", profileID: "b", reaction: emoji, isRemoved: removed))
  }

  private var ids: [String] { timeline.entries.map(\.id) }

  @Test func `the same batch twice yields nothing the second time`() {
    let batch = [message("1", 1), message("2", 2), edit("e", of: "1"), reaction("r", "👍")]
    #expect(timeline.apply(batch, .live, now: now).count == 4)
    #expect(timeline.apply(batch, .live, now: now).isEmpty)
    #expect(ids == ["1", "2"])
  }

  @Test func `orders by time, then by arrival`() {
    _ = timeline.apply(
      [message("c", 30), message("a", 10), message("b", 20), message("b2", 20)], .replay, now: now)
    #expect(ids == ["a", "b", "b2", "c"])
    #expect(timeline.lastMessageID == "b2")
  }

  @Test func `only the author edits and deletes, and what is deleted stays so`() throws {
    _ = timeline.apply([message("1", 1)], .live, now: now)
    #expect(timeline.apply([edit("x", of: "1", by: "b")], .live, now: now).isEmpty)
    #expect(timeline.apply([deletion("y", of: "1", by: "b")], .live, now: now).isEmpty)
    _ = timeline.apply([edit("first", of: "1"), edit("last", of: "1")], .live, now: now)
    #expect(timeline.entry("1")?.message.content == "last")
    #expect(timeline.apply([deletion("d", of: "1")], .live, now: now).count == 1)
    #expect(
      timeline.apply([edit("late", of: "1"), deletion("d2", of: "1")], .live, now: now).isEmpty)
    let entry = try #require(timeline.entry("1"))
    #expect(entry.isDeleted && entry.message.content == nil)
  }

  @Test func `a reaction counts once and can be taken away`() {
    _ = timeline.apply([message("1", 1), reaction("r1", "👍")], .live, now: now)
    #expect(timeline.apply([reaction("r2", "👍")], .live, now: now).isEmpty)
    #expect(timeline.entry("1")?.reactions == [ReactionTally(reaction: "👍", profileIDs: ["b"])])
    _ = timeline.apply([reaction("r3", "👍", removed: true)], .live, now: now)
    #expect(timeline.entry("1")?.reactions == [])
    #expect(timeline.apply([reaction("r4", "👍", removed: true)], .live, now: now).isEmpty)
  }

  @Test func `what comes before its message waits for it`() {
    _ = timeline.apply(
      [edit("e", of: "1"), edit("other", of: "1", by: "b"), reaction("r", "👍")], .replay, now: now)
    _ = timeline.apply([message("1", 1)], .replay, now: now)
    #expect(timeline.entry("1")?.message.content == "e")
    #expect(timeline.entry("1")?.isEdited == true)
    #expect(timeline.entry("1")?.reactions.count == 1)
  }

  @Test func `what waits for messages that never come is bounded`() {
    var waiting = WaitingChanges(capacity: 100)
    for number in 0..<1_000 { waiting.add(edit("e\(number)", of: "m\(number)"), for: "m\(number)") }
    let taken = ["m0", "m999", "m999"].map { waiting.take(for: $0).count }
    #expect(taken == [0, 1, 0])
  }

  @Test func `a live message well before the newest is late, a replayed one is not`() throws {
    _ = timeline.apply([message("1", 1_000), message("2", 100)], .replay, now: now)
    #expect(try #require(timeline.entry("2")).isLate == false)
    _ = timeline.apply([message("3", 950), message("4", 100)], .live, now: now)
    #expect(try #require(timeline.entry("3")).isLate == false)
    #expect(try #require(timeline.entry("4")).isLate)
  }

  @Test(arguments: [Timeline.Arrival.replay, .live])
  func `a clock in the future makes nothing else late`(arrival: Timeline.Arrival) throws {
    _ = timeline.apply(
      [message("1", 900_000), message("future", 9_000_000_000)], arrival, now: now)
    _ = timeline.apply([message("2", 1_000_000)], .live, now: now)
    #expect(try #require(timeline.entry("2")).isLate == false)
    #expect(try #require(timeline.entry("future")).time <= now)
    #expect(ids == ["1", "future", "2"])
  }

  @Test func `a message without a date takes its place in the room's order`() {
    _ = timeline.apply([message("1", 10), message("2", nil), message("3", 20)], .replay, now: now)
    #expect(ids == ["1", "2", "3"])
  }

  @Test func `holds the newest and knows the ids of those before`() {
    timeline = Timeline(capacity: 100)
    for number in 0..<500 {
      _ = timeline.apply([message("\(number)", Int64(number))], .live, now: now)
    }
    #expect(timeline.count <= 125)
    #expect(timeline.entry("499") != nil && timeline.entry("0") == nil)
    #expect(timeline.apply([message("0", 0)], .live, now: now).isEmpty)
  }

  @Test func `recent ids are forgotten oldest first`() {
    var recent = RecentIDs(capacity: 3)
    for id in ["a", "b", "c", "d"] {
      let isNew = recent.insert(id)
      #expect(isNew)
    }
    #expect(!recent.contains("a"))
    #expect(["b", "c", "d"].allSatisfy(recent.contains))
    let isNew = recent.insert("d")
    #expect(!isNew)
  }

  @Test func `a profile's absent fields stay, and empty ones are cleared`() throws {
    var profiles = ProfileDirectory()
    profiles.note(
      ProfileChange(
        eventID: "1", profileID: "a", profileName: "Ann", profileImage: "x.png",
        fields: ["about": "me", "site": "s"]), at: at(1))
    profiles.note(
      ProfileChange(eventID: "2", profileID: "a", profileImage: "", fields: ["about": ""]),
      at: at(2))
    let entry = try #require(profiles["a"])
    #expect(entry.profile == Profile(id: "a", name: "Ann", fields: ["site": "s"]))
    #expect(entry.firstSeen == at(1) && entry.lastSeen == at(2))
  }

  @Test func `those who spoke last come first, and the silent are forgotten`() {
    var profiles = ProfileDirectory(capacity: 8)
    for number in 0..<20 {
      profiles.note(Message(id: "\(number)", profileID: "p\(number)", content: ""), at: at(1))
    }
    #expect(profiles.byRecency.first?.profile.id == "p19")
    #expect(profiles.byRecency.count <= 8)
  }
}
