import TestSupport
import Testing

@testable import ImageAssets

struct FetchQueueTests {
  private func all(_ queue: inout FetchQueue, onlyAsked: Bool = false) -> [String] {
    var keys: [String] = []
    while let key = queue.next(onlyAsked: onlyAsked) { keys.append(key) }
    return keys
  }

  @Test func `what is asked for comes first, else the order is kept`() {
    var queue = FetchQueue(limitAhead: 10)
    for key in ["a", "b", "c"] { #expect(queue.fetchAhead(key) == nil) }
    queue.ask(for: "d")
    queue.ask(for: "b")
    queue.ask(for: "d")
    #expect(queue.fetchAhead("d") == nil)
    #expect(all(&queue) == ["d", "b", "a", "c"])
    #expect(!queue.contains("a"))
  }

  @Test func `hands out nothing that is fetched ahead when only the rest may go`() {
    var queue = FetchQueue(limitAhead: 10)
    _ = queue.fetchAhead("a")
    queue.ask(for: "b")
    #expect(all(&queue, onlyAsked: true) == ["b"])
    #expect(all(&queue) == ["a"])
  }

  @Test func `what has waited longest goes out for what is new`() {
    var queue = FetchQueue(limitAhead: 2)
    #expect(queue.fetchAhead("a") == nil && queue.fetchAhead("b") == nil)
    #expect(queue.fetchAhead("c") == "a")
    queue.remove("b")
    #expect(queue.fetchAhead("d") == nil)
    #expect(all(&queue) == ["c", "d"])
  }

  @Test func `is what a list that is searched would be`() {
    var random = SeededRandom(seed: 3)
    var queue = FetchQueue(limitAhead: 5)
    var (asked, ahead): ([String], [String]) = ([], [])
    for _ in 0..<20_000 {
      let key = String(Int.random(in: 0..<12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        ahead.removeAll { $0 == key }
        if !asked.contains(key) { asked.append(key) }
        queue.ask(for: key)
      case 1, 2:
        var dropped: String?
        if !asked.contains(key), !ahead.contains(key) {
          ahead.append(key)
          if ahead.count > 5 { dropped = ahead.removeFirst() }
        }
        #expect(queue.fetchAhead(key) == dropped)
      case 3:
        asked.removeAll { $0 == key }
        ahead.removeAll { $0 == key }
        queue.remove(key)
      default:
        let next = asked.first ?? ahead.first
        asked.removeAll { $0 == next }
        ahead.removeAll { $0 == next }
        #expect(queue.next(onlyAsked: false) == next)
      }
      #expect(queue.contains(key) == (asked + ahead).contains(key))
    }
  }
}

struct KnownImagesTests {
  private let start = ContinuousClock.now

  @Test func `forgets what was not used for the longest time`() {
    var known = KnownImages(limit: 8)
    for number in 0..<8 { known.note(.failure(.notAFile), of: "\(number)", at: start) }
    known.touch("0")
    for number in 8..<11 { known.note(.failure(.notAFile), of: "\(number)", at: start) }
    #expect(known.count == 8)
    #expect(known["0"] != nil && known["10"] != nil)
    #expect(known["1"] == nil)
    for number in 0..<10_000 { known.note(.failure(.notAFile), of: "\(number)", at: start) }
    #expect(known.count <= 10)
  }

  @Test func `tries again later and later what may be better then`() {
    var known = KnownImages(limit: 8)
    #expect(known.isWorthFetchingAhead("a", at: start))
    for pause in [30, 60, 120, 240] {
      known.note(.failure(.timedOut), of: "a", at: start)
      #expect(!known.isWorthFetchingAhead("a", at: start + .seconds(pause - 1)))
      #expect(known.isWorthFetchingAhead("a", at: start + .seconds(pause)))
    }
    for _ in 0..<20 { known.note(.failure(.status(503)), of: "a", at: start) }
    #expect(known.isWorthFetchingAhead("a", at: start + .seconds(3_600)))
    known.note(.failure(.status(404)), of: "a", at: start)
    #expect(!known.isWorthFetchingAhead("a", at: start + .seconds(1_000_000)))
  }
}
