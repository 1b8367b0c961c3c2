import TestSupport
import Testing

@testable import ChatModel

struct TimelineTests {
  @Test func `holds messages in the order of time, then of arrival`() {
    var timeline = Timeline()
    let times: [(String, Int64)] = [
      ("a", 30), ("b", 10), ("c", 20), ("d", 20), ("e", 40), ("f", 10),
    ]
    for (id, second) in times { _ = timeline.live(.sample(id, at: second)) }
    #expect(timeline.entries.map(\.id) == ["b", "f", "c", "d", "a", "e"])
    #expect(timeline.count == 6)
  }

  @Test func `is sorted whatever the order of arrival`() {
    var random = SeededRandom(seed: 3)
    var timeline = Timeline()
    for number in 0..<2_000 {
      _ = timeline.live(.sample("\(number)", at: .random(in: 0..<300, using: &random)))
    }
    let entries = Array(timeline.entries)
    let wanted = entries.sorted { ($0.time, Int($0.id) ?? 0) < ($1.time, Int($1.id) ?? 0) }
    #expect(entries.map(\.id) == wanted.map(\.id))
  }

  @Test func `yields nothing for a batch that it has had`() {
    let batch: [Event] = [
      .sample("1", at: 1), .sample("2", at: 2),
      .edit(Edit(eventID: "e1", messageID: "1", profileID: "jane", content: "new")),
      .reaction(.sample("r1", on: "1", by: "bob")),
      .reaction(.sample("r2", on: "1", by: "bob", isRemoved: true)),
      .deletion(Deletion(eventID: "d1", messageID: "2", profileID: "jane")),
      .edit(Edit(eventID: "e2", messageID: "later", profileID: "jane", content: "x")),
      .notice(Notice(eventID: "n1", content: "someone came")),
      .presence(Presence(eventID: "p1", profileID: "bob", isPresent: true)),
      .profile(ProfileChange(eventID: "c1", profileID: "bob", profileName: "Bob")),
    ]
    var timeline = Timeline()
    #expect(timeline.apply(batch, .live, now: .now).count == 9)
    let before = timeline.entries.map(\.message.content)
    #expect(timeline.apply(batch, .live, now: .now).isEmpty)
    #expect(timeline.apply(batch, .replay, now: .now).isEmpty)
    #expect(timeline.entries.map(\.message.content) == before)
  }

  @Test func `holds a message once even after its id was forgotten`() {
    var timeline = Timeline(capacity: 10)
    _ = timeline.live(.sample("a", at: 1))
    for number in 0..<2_000 {
      let presence = Presence(eventID: "p\(number)", profileID: "bob", isPresent: true)
      _ = timeline.live(.presence(presence))
    }
    #expect(timeline.live(.sample("a", at: 1)) == nil)
    #expect(timeline.count == 1 && timeline.entries.map(\.id) == ["a"])
  }

  @Test func `forgets the oldest when messages are large, and keeps the newest however large`() {
    var timeline = Timeline(capacityInBytes: 100_000)
    for number in 0..<50 {
      let content = String(repeating: "x", count: 10_000)
      _ = timeline.live(
        .message(Message(id: "\(number)", profileID: "jane", content: content)))
      #expect(timeline.count <= 10)
    }
    #expect(timeline.entries.map(\.id).last == "49" && timeline.count > 5)
    let huge = Message(
      id: "huge", profileID: "jane", content: String(repeating: "x", count: 500_000))
    _ = timeline.live(.message(huge))
    #expect(timeline.entries.map(\.id) == ["huge"])
  }

  @Test func `counts what edits make of a message's size`() {
    var timeline = Timeline(capacityInBytes: 20_000)
    for id in ["a", "b"] { _ = timeline.live(.sample(id, at: 1)) }
    let content = String(repeating: "x", count: 30_000)
    _ = timeline.live(
      .edit(Edit(eventID: "e", messageID: "b", profileID: "jane", content: content)))
    _ = timeline.live(.sample("c", at: 2))
    #expect(timeline.entries.map(\.id) == ["c"])
  }

  @Test func `counts what reactions add to a message's size`() {
    var timeline = Timeline(capacityInBytes: 20_000)
    for id in ["a", "b"] { _ = timeline.live(.sample(id, at: 1)) }
    for number in 0..<300 {
      let id = String(repeating: "x", count: 100) + "\(number)"
      _ = timeline.live(.reaction(.sample("r\(number)", on: "b", by: id)))
    }
    #expect(timeline.entries.map(\.id) == ["b"])
    #expect(timeline.entry("b")?.reactions.first?.profileIDs.count == 300)
  }

  @Test func `no longer counts reactions that are gone`() {
    var timeline = Timeline(capacityInBytes: 20_000)
    for id in ["a", "b"] { _ = timeline.live(.sample(id, at: 1)) }
    let id = String(repeating: "x", count: 1_000)
    for number in 0..<300 {
      let isRemoved = number % 2 == 1
      _ = timeline.live(.reaction(.sample("r\(number)", on: "b", by: id, isRemoved: isRemoved)))
    }
    for number in 0..<10 {
      _ = timeline.live(.reaction(.sample("s\(number)", on: "b", by: id + "\(number)")))
    }
    _ = timeline.live(.deletion(Deletion(eventID: "d", messageID: "b", profileID: "jane")))
    for number in 0..<10 {
      _ = timeline.live(.reaction(.sample("t\(number)", on: "a", by: id + "\(number)")))
    }
    #expect(timeline.entries.map(\.id) == ["a", "b"])
  }

  @Test func `counts everything that strangers say of a file`() {
    var timeline = Timeline(capacityInBytes: 20_000)
    let long = String(repeating: "x", count: 12_000)
    let files = [
      FileReference(path: "1", mediaType: long), FileReference(path: "2", sha256: long),
    ]
    for (number, file) in files.enumerated() {
      _ = timeline.live(
        .message(Message(id: "\(number)", profileID: "jane", files: [file])))
    }
    #expect(timeline.entries.map(\.id) == ["1"])
  }

  @Test func `bounds what waits by what it takes`() {
    var timeline = Timeline()
    let id = String(repeating: "x", count: 100_000)
    for number in 0..<200 {
      _ = timeline.live(.reaction(.sample("r\(number)", on: "m", by: id + "\(number)")))
    }
    _ = timeline.live(.sample("m", at: 1))
    #expect((10..<90).contains(timeline.entry("m")?.reactions.first?.profileIDs.count ?? 0))
  }

  @Test func `lets the first message of an id stand`() {
    var timeline = Timeline()
    _ = timeline.live(.sample("a", by: "jane", at: 1, "mine"))
    #expect(timeline.live(.sample("a", by: "mallory", at: 2, "forged")) == nil)
    #expect(timeline.entry("a")?.message.content == "mine")
  }

  @Test func `knows the message that was applied last`() {
    var timeline = Timeline()
    #expect(timeline.lastMessageID == nil)
    _ = timeline.live(.sample("a", at: 50))
    _ = timeline.live(.sample("b", at: 10))
    _ = timeline.live(.reaction(.sample("r", on: "a", by: "bob")))
    _ = timeline.live(.sample("a", at: 50))
    #expect(timeline.lastMessageID == "b")
  }

  @Test func `finds the newest for which something holds`() {
    var timeline = Timeline()
    for (id, author) in [("1", "jane"), ("2", "bob"), ("3", "jane")] {
      _ = timeline.live(.sample(id, by: author, at: 1))
    }
    #expect(timeline.newest { $0.message.profileID == "bob" }?.id == "2")
    #expect(timeline.newest { $0.message.profileID == "jane" }?.id == "3")
    #expect(timeline.newest { _ in false } == nil)
  }

  // MARK: - Late, and clocks that are wrong

  @Test func `marks as late what lies more than the tolerance before the newest`() {
    var timeline = Timeline()
    _ = timeline.live(.sample("a", at: 100))
    _ = timeline.live(.sample("b", at: 40))
    _ = timeline.live(.sample("c", at: 39))
    #expect(timeline.entry("a")?.isLate == false)
    #expect(timeline.entry("b")?.isLate == false)
    #expect(timeline.entry("c")?.isLate == true)
  }

  @Test func `calls nothing of the past late`() {
    var timeline = Timeline()
    for (id, second) in [("a", 200), ("b", 1)] as [(String, Int64)] {
      _ = timeline.apply(.sample(id, at: second), .replay, now: .now)
    }
    #expect(timeline.entry("b")?.isLate == false)
    #expect(timeline.entries.map(\.id) == ["b", "a"])
  }

  @Test(arguments: [Timeline.Arrival.live, .replay])
  func `is not moved by a clock in the future`(arrival: Timeline.Arrival) throws {
    var timeline = Timeline()
    _ = timeline.apply(.sample("before", at: 900), arrival, now: .now)
    _ = timeline.apply(.sample("wrong", at: 5_000_000), arrival, now: .now)
    _ = timeline.live(.sample("after", at: 999))
    let wrong = try #require(timeline.entry("wrong"))
    #expect(wrong.time == (arrival == .live ? .now : Timestamp(milliseconds: 900_000)))
    #expect(wrong.message.createdAt == Timestamp(milliseconds: 5_000_000_000))
    #expect(timeline.entry("after")?.isLate == false)
  }

  @Test func `takes the time of arrival where a message has none`() {
    var timeline = Timeline()
    _ = timeline.apply(.sample("a", at: nil), .replay, now: .now)
    #expect(timeline.entry("a")?.time == .now)
    var other = Timeline()
    _ = other.apply(.sample("a", at: 5), .replay, now: .now)
    _ = other.apply(.sample("b", at: nil), .replay, now: .now)
    _ = other.apply(.sample("c", at: nil), .live, now: .now)
    #expect(other.entry("b")?.time == Timestamp(milliseconds: 5_000))
    #expect(other.entry("c")?.time == .now)
  }

  // MARK: - Bounds

  @Test(arguments: [1, 4, 100]) func `keeps the newest`(capacity: Int) {
    var timeline = Timeline(capacity: capacity)
    for number in 0..<500 {
      _ = timeline.live(.sample("\(number)", at: Int64(number)))
      #expect(timeline.count <= capacity + capacity / 4)
      #expect(timeline.count >= min(number + 1, capacity))
    }
    let ids = timeline.entries.map(\.id)
    #expect(ids == (500 - ids.count..<500).map(String.init))
    #expect(timeline.entry("0") == nil)
  }

  @Test func `stays within its bounds when everything comes late`() {
    var timeline = Timeline(capacity: 8)
    for second in (0..<500).reversed() {
      _ = timeline.live(.sample("\(second)", at: Int64(second)))
    }
    #expect(timeline.count <= 10)
    #expect(timeline.entries.map(\.id).last == "499")
  }
}

extension Timestamp {
  /// The time at which these tests happen: 1,000 seconds after the beginning.
  static let now = Timestamp(milliseconds: 1_000_000)
}

extension Timeline {
  /// Applies an event as it happens.
  mutating func live(_ event: Event) -> TimelineDiff? {
    apply(event, .live, now: .now)
  }
}

extension Event {
  /// A message, by Jane unless told otherwise, at a second.
  static func sample(
    _ id: String, by author: String = "jane", at second: Int64?, _ content: String = "hi"
  ) -> Event {
    .message(
      Message(
        id: id, profileID: author, content: content,
        createdAt: second.map { Timestamp(milliseconds: $0 * 1_000) }))
  }
}

extension Reaction {
  /// A thumb on a message, or its removal.
  static func sample(
    _ id: String, on messageID: String, by author: String, _ reaction: String = "👍",
    isRemoved: Bool = false
  ) -> Reaction {
    Reaction(
      eventID: id, messageID: messageID, profileID: author, reaction: reaction,
      isRemoved: isRemoved)
  }
}
