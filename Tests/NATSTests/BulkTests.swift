import ChatModel
import TestSupport
import Testing
import Transport

@testable import NATS

extension Clusters {
  /// What is sent faster than the cluster acknowledges goes together.
  @Suite(.timeLimit(.minutes(5)))
  struct BulkTests {
    @Test func `reads back from every place in it, and backwards`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let other = try await cluster.member("jane", in: "coffee")
      let all = (1...400).map(String.init)
      for id in all {
        jane.say(id, id: id, in: "tea")
        other.say("x", id: "c\(id)", in: "coffee")
      }
      let told = try await jane.wait("all") { answers in
        answers.acknowledgement("400") == nil ? nil : answers.contents(count: 400)
      }
      #expect(told == all)
      let cursors = all.compactMap { jane.answers.acknowledgement($0)?.cursor }
      let messages = Set(cursors.compactMap { LogCursor($0)?.point.reached })
      #expect(cursors.count == 400 && messages.count < 200, "\(messages.count)")

      for index in stride(from: 0, to: 400, by: 57) {
        let back = try await cluster.member("back", after: cursors[index])
        #expect(back.answers.contents == Array(all[(index + 1)...]))
      }
      for count in [1, 2, 50, 399, 400, 100_000] {
        let late = try await cluster.member("late", tail: count)
        #expect(late.answers.contents == all.suffix(count))
      }
      var (past, before): ([String], Cursor?) = ([], nil)
      while past.count < 1_000 {
        let page = try await jane.page(HistoryRequest(room: "tea", before: before, limit: 37))
        #expect(page.events.count == min(37, 400 - past.count))
        past = page.events.contents + past
        before = page.next
        if !page.more { break }
      }
      #expect(past == all)
      var (future, after) = ([all[0]], cursors[0])
      while future.count < 1_000 {
        let page = try await jane.page(HistoryRequest(room: "tea", after: after, limit: 41))
        future += page.events.contents
        after = page.next ?? after
        if !page.more { break }
      }
      #expect(future == all)
    }

    @Test func `what may be there already is looked for, and is there once`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let start = try await jane.wait("live") { $0.liveCursor }
      let all = (1...100).map(String.init)
      for id in all { jane.say(id, id: id, in: "tea") }
      try await jane.wait("all") { $0.acknowledgement("100") }
      jane.kill()
      // It is said again, and more: by one who does not know what became of it,
      // from the midst of what was stored at once, whose id the stream does not
      // know; and by one who does not even say that it is a repeat.
      let repeated = Array(all.dropFirst(2))
      for since in [start, nil] {
        let again = try await cluster.member("jane")
        for id in since == nil ? ["1"] : repeated + ["new"] {
          let message = Message(id: id, profileID: "jane", content: id)
          again.say(
            .send(ref: id, SendRequest(room: "tea", event: .message(message), since: since)))
        }
        let last = since == nil ? "1" : "new"
        let answer = try await again.wait("ack") { $0.acknowledgement(last) }
        #expect(answer.isDuplicate == (since == nil))
        if since != nil {
          #expect(repeated.allSatisfy { again.answers.acknowledgement($0)?.isDuplicate == true })
        }
      }
      let late = try await cluster.member("late", tail: 1_000)
      #expect(late.answers.contents == all + ["new"])
    }

    @Test func `nothing overtakes what the cluster did not take`() async throws {
      let cluster = try await NATSCluster.prepared(size: 3)
      let jane = try await cluster.member("jane")
      jane.say("first", id: "first", in: "tea")
      try await jane.wait("ack") { $0.acknowledgement("first") }
      cluster.stop(1)
      cluster.stop(2)
      for number in 1...20 { jane.say("\(number)", id: "\(number)", in: "tea") }
      let error = try await jane.wait("error") { $0.firstError("20") }
      #expect(error.errorClass == .retry && error.retryAfter != nil, "\(error)")
      #expect((1...20).allSatisfy { jane.answers.firstError("\($0)") != nil })
      // Said before the error was heard; when the cluster takes it, what has failed
      // is to be there first.
      jane.say("too early", id: "early", in: "tea")
      try await cluster.start(1)
      #expect(try await jane.wait("error") { $0.firstError("early") }.errorClass == .retry)
      for number in 1...20 { jane.say("\(number)", id: "\(number)", in: "tea") }
      jane.say("too early", id: "early", in: "tea")
      let all = ["first"] + (1...20).map(String.init) + ["too early"]
      #expect(try await jane.wait("all") { $0.contents(count: 22) } == all)
    }
  }
}
