import Testing

/// A readline state in which something arrives.
struct PromptState: Sendable, CustomTestStringConvertible {
  let name: String
  var inputrc = ""
  /// The keys that lead to the state.
  let keys: [String]
  /// What the prompt shows then, rows joined, `▮` at the cursor.
  let shows: String
  /// The keys that end it, with Enter.
  let ending: [String]
  /// The line that is entered.
  let gives: String

  var testDescription: String { name }

  private static let vi =
    "set editing-mode vi\nset keyseq-timeout 20\nset show-mode-in-prompt on\n"

  static let all = [
    PromptState(
      name: "typing", keys: ["hello"], shows: "room> hello▮", ending: ["!", "Enter"],
      gives: "hello!"),
    PromptState(
      name: "cursor inside", keys: ["hello", "Left", "Left"], shows: "room> hel▮lo",
      ending: ["X", "Enter"], gives: "helXlo"),
    PromptState(
      name: "wide clusters", keys: ["안녕하세요 민수", "C-b"], shows: "room> 안녕하세요 민▮수",
      ending: ["x", "Enter"], gives: "안녕하세요 민x수"),
    PromptState(
      name: "reverse search", keys: ["first entry", "Enter", "C-r", "st"],
      shows: "(reverse-i-search)`st': fir▮st entry", ending: ["Enter"], gives: "first entry"),
    PromptState(
      name: "forward search", keys: ["first entry", "Enter", "C-s", "zz"],
      shows: "(failed i-search)`zz': ▮", ending: ["C-g", "kept", "Enter"], gives: "kept"),
    PromptState(
      name: "non-incremental search", keys: ["first entry", "Enter", "M-p", "fi"],
      shows: "room> :fi▮", ending: ["Enter", "Enter"], gives: "first entry"),
    PromptState(
      name: "numeric argument", keys: ["ab", "M-3"], shows: "(arg: 3) ab▮",
      ending: ["x", "Enter"], gives: "abxxx"),
    PromptState(
      name: "quoted insert", keys: ["ab", "C-v"], shows: "room> ab▮",
      ending: ["Tab", "c", "Enter"], gives: "ab\\tc"),
    PromptState(
      name: "undo", keys: ["abc def", "C-w"], shows: "room> abc ▮",
      ending: ["C-_", "Enter"], gives: "abc def"),
    PromptState(
      name: "kill ring", keys: ["abc def", "C-w"], shows: "room> abc ▮",
      ending: ["C-y", "C-y", "Enter"], gives: "abc defdef"),
    PromptState(
      name: "vi, a pending 2d", inputrc: vi, keys: ["a bc de", "Escape", "0", "2", "d"],
      shows: "(cmd)room> ▮a bc de", ending: ["w", "A", "!", "Enter"], gives: "de!"),
    PromptState(
      name: "vi, a pending r", inputrc: vi, keys: ["one", "Escape", "0", "r"],
      shows: "(cmd)room> ▮one", ending: ["X", "A", "Enter"], gives: "Xne"),
    PromptState(
      name: "vi, a search", inputrc: vi, keys: ["first entry", "Enter", "Escape", "/", "fi"],
      shows: "room> /fi▮", ending: ["Enter", "Enter"], gives: "first entry"),
  ]
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ArrivalTests {
  @Test(arguments: PromptState.all, [20, 40, 80])
  func `an arrival leaves a readline state unharmed`(state: PromptState, columns: Int) async throws
  {
    let terminal = try Tmux(columns, 12, inputrc: state.inputrc)
    try await terminal.expect { $0.first?.hasSuffix("room> ▮") == true }
    for key in state.keys {
      terminal.type(key)
      // A lone ESC is one only when nothing follows it at once.
      if key == "Escape" { try await terminal.expect { $0.joined().contains("(cmd)") } }
    }
    try await terminal.expect { $0.joined().hasSuffix(state.shows) }
    let before = terminal.screen
    terminal.arrive("arrived", "두 번째")
    try await terminal.expect { screen in
      screen.contains("두 번째") && screen.filter { $0 != "arrived" && $0 != "두 번째" } == before
    }
    for key in state.ending { terminal.type(key) }
    try await terminal.expect { screen in
      let text = screen.joined()
      return text.contains("GOT[\(state.gives)]") && text.hasSuffix("room> ▮")
    }
  }

  @Test func `a tall line leaves no copies behind, and arrivals are on the screen`() async throws {
    let terminal = try Tmux(40, 8)
    try await terminal.expect("room> ▮")
    let line = (100..<200).map { "\($0) " }.joined()
    terminal.type(text: line)
    try await terminal.expect { $0.last == "7 198 199 ▮" || $0.last?.hasSuffix("199 ▮") == true }
    for number in 1...30 { terminal.arrive("message \(number).") }
    try await terminal.expect { $0.first == "message 30." }
    let all = terminal.scrollback
    #expect(all.filter { $0.hasPrefix("message ") } == (1...30).map { "message \($0)." })
    #expect(all.filter { $0.contains("199") }.count == 1)
    terminal.type("C-a")
    try await terminal.expect { $0.dropFirst().first?.hasPrefix("room> ▮100") == true }
  }

  @Test func `a prompt that changes during a search shows when the search has ended`() async throws
  {
    let terminal = try Tmux(60, 8)
    try await terminal.expect("room> ▮")
    terminal.type("first entry", "Enter", "C-r", "st")
    let search = "GOT[first entry]\n(reverse-i-search)`st': fir▮st entry"
    try await terminal.expect(search)
    terminal.arrive("@prompt other>", "arrived")
    try await terminal.expect(search.replacing("\n", with: "\narrived\n"))
    terminal.type("C-g")
    try await terminal.expect("GOT[first entry]\narrived\nother> ▮")
  }

  @Test func `a hidden line stays hidden under arrivals and comes back with a key`() async throws {
    let terminal = try Tmux(40, 8)
    try await terminal.expect("room> ▮")
    terminal.type("typed", "M-h")
    try await terminal.expect("▮")
    terminal.arrive("one", "two")
    try await terminal.expect("one\ntwo\n▮")
    terminal.type("x")
    try await terminal.expect("one\ntwo\nroom> typedx▮")
  }

  @Test func `no key is lost in a flood, and all rows are there`() async throws {
    let terminal = try Tmux(40, 8)
    try await terminal.expect("room> ▮")
    terminal.type("/flood 20000", "Enter")
    for digit in 0...9 { terminal.type("\(digit)") }
    try await terminal.expect { $0.suffix(2) == ["flood 20000", "room> 0123456789▮"] }
  }
}
