import Testing

@testable import ChatModel

struct RecentIDsTests {
  @Test func `tells new ids from known ones`() {
    var ids = RecentIDs(capacity: 10)
    #expect(!ids.contains("a"))
    let results = ["a", "b", "a", "b", "c"].map { ids.insert($0) }
    #expect(results == [true, true, false, false, true])
    #expect(ids.contains("a"))
  }

  @Test(arguments: [1, 2, 7, 100])
  func `keeps as many of the newest as it has room for`(capacity: Int) {
    var ids = RecentIDs(capacity: capacity)
    for number in 0..<1_000 {
      let isNew = ids.insert("\(number)")
      #expect(isNew)
    }
    let kept = (0..<1_000).filter { ids.contains("\($0)") }
    #expect(kept == Array(1_000 - capacity..<1_000))
  }

  @Test func `does not give an id another turn for being seen again`() {
    var ids = RecentIDs(capacity: 2)
    for id in ["a", "b", "a", "c"] { _ = ids.insert(id) }
    #expect(!ids.contains("a"))
    #expect(ids.contains("b") && ids.contains("c"))
  }
}
