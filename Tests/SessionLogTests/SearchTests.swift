import ChatModel
import Testing

@testable import SessionLog

struct SearchTests {
  /// Which messages are in the index.
  enum State: CaseIterable { case fresh, half, indexed }

  private static let texts = [
    "오늘점심뭐", "don't", "multi-agent system", "TODO: write", "a/b", "say \"hi\" now", "f(x) [y]",
    "the quick brown fox", "Straße", "👩‍👩‍👧 family", "100%_done", "ends with z", "tab\there",
    "한", "naïve café", "x", "C:\\dir", "a*b OR NOT \"c", "ＦＵＬＬ ｗｉｄｔｈ", "-- ; DROP",
  ]

  private func log(_ state: State) async throws -> Log {
    let log = Log()
    let session = try await log.begin()
    let events = Self.texts.enumerated().map { Event.said($1, id: "\($0)", at: Int64($0)) }
    try await log.store.record(events, cursor: "c", in: session, at: .noon)
    if state == .half { _ = try await log.store.advanceIndex(by: 10) }
    if state == .indexed { try await log.index() }
    return log
  }

  @Test(arguments: State.allCases)
  func `parts of words are found in any script`(state: State) async throws {
    let log = try await log(state)
    for (word, text) in [
      ("점심", "오늘점심뭐"), ("심뭐", "오늘점심뭐"), ("뭐", "오늘점심뭐"), ("오", "오늘점심뭐"),
      ("오늘점심뭐", "오늘점심뭐"), ("오늘점", "오늘점심뭐"), ("don't", "don't"), ("'t", "don't"), ("DON'T", "don't"),
      ("multi-agent", "multi-agent system"), ("i-a", "multi-agent system"),
      ("TODO:", "TODO: write"),
      ("todo", "TODO: write"), ("a/b", "a/b"), ("/", "a/b"), ("\"hi\"", "say \"hi\" now"),
      ("\"", "say \"hi\" now"), ("[", "f(x) [y]"), ("]", "f(x) [y]"), ("(x)", "f(x) [y]"),
      ("\"quick brown\"", "the quick brown fox"), ("fox quick", "the quick brown fox"),
      ("STRASSE", "Straße"), ("👩‍👩‍👧", "👩‍👩‍👧 family"), ("%_", "100%_done"), ("z", "ends with z"),
      ("with z", "ends with z"), ("\"tab here\"", "tab\there"), ("한", "한"), ("CAFÉ", "naïve café"),
      ("cafe\u{301}", "naïve café"), ("\\dir", "C:\\dir"), ("C:\\", "C:\\dir"),
      ("a*b", "a*b OR NOT \"c"),
      ("NOT", "a*b OR NOT \"c"), ("full WIDTH", "ＦＵＬＬ ｗｉｄｔｈ"), ("drop", "-- ; DROP"),
    ] {
      #expect(try await log.find(word).contains(text), "\(word)")
    }
    for word in ["점오", "\"quick  brown\"", "\"brown quick\"", "zz", "hi there", "🧑", "q w e r t y"]
    {
      #expect(try await log.find(word).isEmpty, "\(word)")
    }
  }

  @Test(arguments: State.allCases)
  func `of nothing that is asked for nothing is found`(state: State) async throws {
    let log = try await log(state)
    #expect(try await log.find("x", limit: 0).isEmpty)
  }

  @Test(arguments: State.allCases)
  func `composed and decomposed Hangul find each other`(state: State) async throws {
    let log = try await log(state)
    let decomposed = "\u{110C}\u{1165}\u{11B7}\u{1109}\u{1175}\u{11B7}"  // 점심
    #expect(try await log.find(decomposed) == ["오늘점심뭐"])
    try await log.record(.said("저녁 \(decomposed)", id: "nfd"))
    #expect(try await log.find("저녁 점심") == ["저녁 \(decomposed)"])
  }

  @Test(arguments: [
    "\"", "\"\"", "*", "^", "(", "NEAR", "{a b}", ":", "from:", "'", "\\", "\u{0}", "-",
  ])
  func `nothing that is typed is an error`(text: String) async throws {
    let log = try await log(.indexed)
    _ = try await log.find(text)
    _ = try await log.find("x\(text)y")
  }

  @Test func `of none that are asked for there is no next page`() async throws {
    let log = Log()
    try await log.record(.said("one", id: "1"), .said("one", id: "2"))
    let query = SearchQuery("one") { _ in .noon }
    let page = try await log.store.search(query, limit: 0)
    #expect(page.messages.isEmpty && page.next == nil)
  }

  @Test func `a word of any length is looked for`() async throws {
    let log = try await log(.indexed)
    let long = (0..<20_000).map { String($0) }.joined(separator: ",")
    try await log.record(.said(long, id: "long"))
    try await log.index()
    #expect(try await log.find(long).count == 1)
    #expect(try await log.find(long + "x").isEmpty)
  }

  @Test func `filters choose by author, room, day and image`() async throws {
    let log = Log()
    let day: Int64 = 86_400_000
    let midnight = Int64(20_000) * day
    func said(_ text: String, _ id: String, by name: String, _ time: Int64, _ images: [String] = [])
      -> Event
    {
      .message(
        Message(
          id: id, profileID: "id-\(name)", profileName: name, content: text, images: images,
          createdAt: Timestamp(milliseconds: midnight + time)))
    }
    try await log.record(
      said("one", "1", by: "민수", -1), said("two", "2", by: "Jane Doe", 0),
      said("three", "3", by: "민지", day - 1, ["a.png"]))
    try await log.record(said("four", "4", by: "Jane", day), in: .team)
    #expect(CivilDate(daysSince1970: 20_000) == CivilDate(year: 2024, month: 10, day: 4))
    for (query, found) in [
      ("from:jane", ["four", "two"]), ("from:민", ["three", "one"]), ("from:id-민수", ["one"]),
      ("from:\"jane d\"", ["two"]), ("from:민수 from:민지", ["three", "one"]), ("from:nobody", []),
      ("in:team", ["four"]), ("in:LOBBY", ["three", "two", "one"]), ("in:rooms/team", ["four"]),
      ("before:2024-10-04", ["one"]), ("after:2024-10-04", ["four", "three", "two"]),
      ("after:2024-10-04 before:2024-10-05", ["three", "two"]), ("has:image", ["three"]),
      ("has:image one", []), ("three has:image from:민지 in:lobby", ["three"]),
      ("o from:jane", ["four", "two"]),
      ("before:yesterday", []), ("has:nothing", []),
    ] {
      #expect(try await log.find(query) == found, "\(query)")
    }
    try await log.index()
    #expect(try await log.find("three has:image") == ["three"])
  }

  @Test func `words, filters and quotes are told apart`() {
    func query(_ text: String) -> SearchQuery { SearchQuery(text) { _ in .noon } }
    #expect(query("").isEmpty && query("  \t").isEmpty && query("\u{200B}").isEmpty)
    #expect(query("\"a b\" c").words == ["a b", "c"])
    #expect(query("\"a b c").words == ["\"a", "b", "c"])
    #expect(query("5\" pipe").words == ["5\"", "pipe"])
    #expect(query("https://x.y").words == ["https://x.y"])
    #expect(query("TODO:").words == ["todo:"])
    #expect(query("from:").words == ["from:"])
    #expect(query("from:\"A B\"").authors == ["a b"])
    #expect(query("before:2024-13-01").words == ["before:2024-13-01"])
    #expect(query("before:2024-12-01").until == .noon)
    #expect(query("after:today TODO: from:jane from:").misread == ["after:today", "from:"])
    #expect(query("\"has:\" https://x.y 3:4 has:image").misread.isEmpty)
  }

  @Test(arguments: State.allCases, [1, 7, 40])
  func `pages have no gaps and no repeats, newest first`(state: State, limit: Int) async throws {
    let log = Log()
    let session = try await log.begin()
    // Many of one moment; every tenth is looked for.
    let count = 600
    let events = (0..<count).map { number in
      Event.said(
        number % 10 == 0 ? "hit \(number)" : "miss", id: "\(number)", at: Int64(number / 50))
    }
    try await log.store.record(events.shuffled(), cursor: "c", in: session, at: .noon)
    if state == .half { _ = try await log.store.advanceIndex(by: 300) }
    if state == .indexed { try await log.index() }
    var found: [LoggedMessage] = []
    var place: SearchPlace?
    repeat {
      let page = try await log.store.search(
        SearchQuery("hit") { _ in .noon }, after: place, limit: limit, recent: 50)
      #expect(page.messages.count <= limit)
      #expect(page.next == nil || page.messages.count == limit)
      found += page.messages
      place = page.next
    } while place != nil
    #expect(found.count == count / 10 && Set(found.map(\.id)).count == found.count)
    let places = found.map { ($0.entry.time, $0.id) }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func `messages are read page by page, forwards and backwards`() async throws {
    let log = Log()
    let session = try await log.begin()
    let events = (0..<100).map { Event.said("\($0)", id: "\($0)", at: Int64($0 / 7)) }
    try await log.store.record(events, cursor: "c", in: session, at: .noon)
    var forwards: [String] = []
    var place: SearchPlace?
    while true {
      let page = try await log.store.messages(in: LogRange(), after: place, limit: 9)
      forwards += page.map(\.entry.id)
      guard let last = page.last else { break }
      place = await log.store.place(of: last)
    }
    #expect(forwards == (0..<100).map(String.init))
    var backwards: [String] = []
    place = nil
    while true {
      let page = try await log.store.messages(in: LogRange(), before: place, limit: 9)
      backwards = page.map(\.entry.id) + backwards
      guard let first = page.first else { break }
      place = await log.store.place(of: first)
    }
    #expect(backwards == forwards)
  }
}

struct TextIndexTests {
  @Test func `the index follows edits and deletions of what is in it, and of what is not`()
    async throws
  {
    let log = Log()
    try await log.record(.said("alpha", id: "1"), .said("beta", id: "2"), .said("gamma", id: "3"))
    _ = try await log.store.advanceIndex(by: 2)
    try await log.record(
      .edit("e1", of: "1", to: "delta"), .deletion("d2", of: "2"),
      .edit("e3", of: "3", to: "epsilon"))
    try await log.index()
    for (part, count) in [
      ("alp", "0"), ("del", "1"), ("bet", "0"), ("gam", "0"), ("eps", "1"), ("on ", "1"),
    ] {
      #expect(
        try log.ask(
          "SELECT count(*) FROM message_text WHERE message_text MATCH '\"\(part)\"'") == [count],
        "\(part)")
    }
    #expect(
      try log.ask("SELECT indexed_to = (SELECT max(id) FROM message) FROM search_state") == ["1"])
    _ = try await log.store.check()
    #expect(try log.ask("SELECT indexed_to FROM search_state") == ["0"])
    try await log.index()
    #expect(try await log.find("delta") == ["delta"])
  }
}
