import TerminalText
import Testing

@testable import LinePrompt

@Suite struct CompletionTests {
  private func prefix(_ candidates: String...) -> String {
    CompletionReply(range: 0..<0, candidates: candidates.map { Candidate(insert: $0) }).commonPrefix
  }

  @Test func `what all begin with is cut between clusters`() {
    #expect(prefix("name1", "name2") == "name")
    #expect(prefix("e\u{301}a", "eb") == "")
    #expect(prefix("👨‍👩‍👧x", "👨‍👩‍👦x") == "")
    #expect(prefix() == "")
  }

  @Test func `the listing reads downwards in columns`() {
    let listing = CompletionListing(columns: 13, rowLimit: 5, measure: TextMeasure())
    #expect(listing.rows(["aa", "bb", "민수", "dd", "ee"]) == ["aa    dd", "bb    ee", "민수"])
  }

  @Test func `a long listing says how many are not shown`() {
    let listing = CompletionListing(columns: 10, rowLimit: 3, measure: TextMeasure())
    let rows = listing.rows((1...20).map { "name\($0)" })
    #expect(rows == ["name1", "name2", "… and 18 more"])
  }

  @Test func `clusters are stepped over whole`() {
    let clusters = Clusters("a👨‍👩‍👧e\u{301}")
    #expect(clusters.boundaries == [0, 1, 19, 22])
    #expect(clusters.after(1) == 19)
    #expect(clusters.before(22) == 19)
    #expect(clusters.after(0, count: 9) == 22)
    #expect(clusters.before(19, count: 9) == 0)
  }
}
