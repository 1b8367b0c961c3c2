import Testing

@testable import ChatModel

/// Ids that sort by time.
@Suite struct UUIDv7Tests {
  private let moment = Timestamp(milliseconds: 0x0199_c0de_1234)

  @Test func `has the time, the version and the variant of RFC 9562`() {
    var generator = UUIDv7Generator()
    let id = generator.next(at: moment, random: 0xffff_ffff_ffff_ffff)
    #expect(id == "0199c0de-1234-77ff-bfff-ffffffffffff")
  }

  @Test func `grows within a millisecond, when the clock goes back, and when the counter is full`()
  {
    var generator = UUIDv7Generator()
    var ids: [String] = []
    for turn in 0..<10_000 {
      let back = Int64(turn % 3 == 0 ? 5_000 : 0)
      ids.append(generator.next(at: Timestamp(milliseconds: moment.milliseconds - back)))
    }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
  }

  @Test(arguments: [Int64.min, -1, Int64.max])
  func `takes any clock`(milliseconds: Int64) {
    var generator = UUIDv7Generator()
    #expect(generator.next(at: Timestamp(milliseconds: milliseconds)).count == 36)
  }
}
