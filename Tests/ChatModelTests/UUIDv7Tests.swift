import Testing

@testable import ChatModel

struct UUIDv7Tests {
  private let moment = Timestamp(milliseconds: 0x0199_c0de_1234)

  @Test func `has the form, version and variant of the standard`() throws {
    var generator = UUIDv7Generator()
    for random: UInt64 in [0, .max, 0x5555_5555_5555_5555] {
      let id = generator.next(at: moment, random: random)
      let parts = id.split(separator: "-", omittingEmptySubsequences: false)
      #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
      #expect(id.hasPrefix("0199c0de-1234-7"))
      #expect("89ab".contains(try #require(parts[3].first)))
      #expect(id.allSatisfy { "0123456789abcdef-".contains($0) })
    }
  }

  @Test func `is made of the time, a counter and the random bits`() {
    var generator = UUIDv7Generator()
    let first = generator.next(at: moment, random: 0x8000_0000_0000_0001)
    #expect(first == "0199c0de-1234-7400-8000-000000000001")
    let second = generator.next(at: moment, random: .max)
    #expect(second == "0199c0de-1234-7401-bfff-ffffffffffff")
  }

  @Test func `grows within a millisecond, and counts over into the next when full`() {
    var generator = UUIDv7Generator()
    var last = ""
    for turn in 0..<10_000 {
      let id = generator.next(at: moment)
      #expect(last < id, "turn \(turn)")
      last = id
    }
    #expect(last.hasPrefix("0199c0de-1236") || last.hasPrefix("0199c0de-1235"))
  }

  @Test func `grows while the clock goes back, and goes on with it later`() {
    var generator = UUIDv7Generator()
    var last = generator.next(at: moment)
    for step in [-1, -10_000, -1_000_000_000_000, 0, 1, -1, 5] {
      let id = generator.next(at: Timestamp(milliseconds: moment.milliseconds + Int64(step)))
      #expect(last < id)
      last = id
    }
    #expect(last.hasPrefix("0199c0de-1239"))
  }

  @Test(arguments: [0, -1, Int64.min]) func `bears clocks before 1970`(milliseconds: Int64) {
    var generator = UUIDv7Generator()
    let first = generator.next(at: Timestamp(milliseconds: milliseconds))
    let second = generator.next(at: Timestamp(milliseconds: milliseconds))
    #expect(first.hasPrefix("00000000-0000-7"))
    #expect(first < second)
  }

  @Test func `bears the last of all clocks`() {
    var generator = UUIDv7Generator()
    #expect(generator.next(at: Timestamp(milliseconds: .max)).hasPrefix("ffffffff-ffff-7"))
  }

  @Test func `is another one in another generator`() {
    var (one, other) = (UUIDv7Generator(), UUIDv7Generator())
    let ids = (one.next(at: moment), other.next(at: moment))
    #expect(ids.0 != ids.1)
  }
}
