import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ShellTests {
  private func shell() async throws -> Tmux {
    let terminal = try Tmux(60, 16, command: "bash --norc --noprofile")
    try await terminal.expect("sh> ▮")
    return terminal
  }

  @Test func `Ctrl-Z puts the terminal back and fg brings all back, again and again`() async throws
  {
    let terminal = try await shell()
    terminal.type("clear; $DEMO", "Enter")
    try await terminal.expect("room> ▮")
    terminal.type("abc", "Left")
    try await terminal.expect("room> ab▮c")
    for _ in 1...2 {
      terminal.type("C-z")
      try await terminal.expect { $0.last == "sh> ▮" }
      terminal.type("clear; stty -a | grep -o '.icanon'; fg", "Enter")
      try await terminal.expect(" icanon\n$DEMO\nroom> ab▮c")
    }
    terminal.type("X", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[abXc]", "room> ▮"] }
  }

  @Test(arguments: ["C-d", "/exit"])
  func `the terminal is whole after the end, however it comes`(ending: String) async throws {
    let terminal = try await shell()
    terminal.type(
      "clear; stty -a >/tmp/$$.a; $DEMO; stty -a | diff - /tmp/$$.a && echo SAME; rm /tmp/$$.a",
      "Enter")
    try await terminal.expect("room> ▮")
    if ending == "C-d" { terminal.type("C-d") } else { terminal.type(ending, "Enter") }
    try await terminal.expect { $0.suffix(2) == ["SAME", "sh> ▮"] }
    #expect(terminal.bytes.contains("\u{1B}[?2004l"))
  }

  @Test func `a lent terminal is the other's, and arrivals wait`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("/lend", "Enter")
    try await terminal.expect("LENT\n▮")
    terminal.arrive("waits")
    terminal.type("other's", "Enter")
    // On a busy machine the arrival may be read after the terminal is back.
    try await terminal.expect {
      $0.prefix(2) == ["LENT", "other's"] && $0.last == "room> ▮"
        && $0.dropFirst(2).dropLast().sorted() == ["BACK[other's]", "waits"]
    }
  }

  @Test func `the end may come while the terminal is lent`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("/quit-lent", "Enter")
    try await terminal.expect("QUIT\nEXIT 0\n▮")
  }

  @Test(arguments: ["</dev/null", "0<&-", "</dev/zero"])
  func `without a terminal to read the end comes at once`(input: String) async throws {
    let terminal = try Tmux(40, 10, command: "$DEMO \(input); echo EXIT $?; sleep 60")
    try await terminal.expect { $0.contains("EXIT 0") }
  }

  @Test func `a line that comes back for editing is there`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("/bad", "Enter")
    try await terminal.expect("room> /bad▮")
  }

  @Test func `history is kept from one run to the next, lines whole`() async throws {
    let folder = TemporaryFolder()
    for run in 1...2 {
      let terminal = try Tmux(40, 10, environment: "DEMO_HISTORY=\(folder.path)/history")
      try await terminal.expect("room> ▮")
      if run == 1 {
        terminal.type("two", "M-Enter", "lines", "Enter")
        try await terminal.expect("GOT[two\\nlines]\nroom> ▮")
      } else {
        terminal.type("Up")
        try await terminal.expect("room> two\nlines▮")
      }
    }
  }

  @Test func `a key that inputrc takes is left to it and named`() async throws {
    let inputrc = "$if banter\n\"\\ee\": \"mine\"\n$endif\n\"\\C-b\": \"!\"\n"
    let terminal = try Tmux(40, 10, inputrc: inputrc)
    try await terminal.expect("CONFLICT M-e\nroom> ▮")
    terminal.type("M-e", "C-b")
    try await terminal.expect("CONFLICT M-e\nroom> mine!▮")
  }
}
