import ChatModel
import Glibc
import Testing

@testable import SessionLog

struct LogStoreTests {
  @Test func `begins`() async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.record(
      [.said("오늘점심뭐", id: "1"), .said("don't", id: "2")], cursor: "c", in: session, at: .noon)
    for word in ["점심", "심뭐", "뭐", "don't"] {
      #expect(try await log.find(word).count == 1, "\(word)")
    }
    while try await log.store.advanceIndex(by: 1) {}
    for word in ["점심", "심뭐", "뭐", "don't", "오늘점", "DON'T"] {
      #expect(try await log.find(word).count == 1, "\(word)")
    }
  }
}
