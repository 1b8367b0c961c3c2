import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct MacroTests {
  @Test func `a macro of the keyboard is recorded whole and can be called again`() async throws {
    let terminal = try Tmux(40, 12)
    try await terminal.expect("room> ▮")
    terminal.send("\u{18}(abc\r\u{18})")
    try await terminal.expect("GOT[abc]\nroom> ▮")
    terminal.send("\u{18}ex\u{18}e")
    try await terminal.expect("GOT[abc]\nGOT[abc]\nGOT[xabc]\nroom> ▮")
  }

  @Test func `a macro of inputrc may have several lines and leave one unfinished`() async throws {
    let terminal = try Tmux(40, 12, inputrc: #""\C-xq": "one\C-jtwo\C-jrest""# + "\n")
    try await terminal.expect("room> ▮")
    terminal.type("C-x", "q")
    try await terminal.expect("GOT[one]\nGOT[two]\nroom> rest▮")
  }

  @Test func `menu-complete goes through the candidates and back`() async throws {
    let inputrc = "\"\\C-t\": menu-complete\n\"\\e[Z\": menu-complete-backward\n"
    let terminal = try Tmux(40, 12, inputrc: inputrc)
    try await terminal.expect("room> ▮")
    terminal.type("x /i", "C-t")
    try await terminal.expect("room> x /images ▮")
    terminal.type("C-t")
    try await terminal.expect("room> x /include ▮")
    terminal.type("C-t")
    try await terminal.expect("room> x /i▮")
    terminal.type("BTab")
    try await terminal.expect("room> x /include ▮")
    terminal.type("C-_", "C-a", "C-e", "m", "BTab")
    try await terminal.expect("room> x /images ▮")
  }

  @Test func `menu-complete shows first what inputrc asks for`() async throws {
    let inputrc = """
      "\\C-t": menu-complete
      set show-all-if-ambiguous on
      set menu-complete-display-prefix on

      """
    let terminal = try Tmux(40, 12, inputrc: inputrc)
    try await terminal.expect("room> ▮")
    terminal.type("/", "C-t")
    try await terminal.expect { $0.last == "room> /▮" && $0.joined().contains("/include") }
    terminal.type("C-t")
    try await terminal.expect { $0.last == "room> /profile ▮" }
  }

  @Test func `all candidates can be inserted, and listed`() async throws {
    let inputrc = "\"\\C-o\": possible-completions\n\"\\C-d\": delete-char-or-list\n"
    let terminal = try Tmux(60, 12, inputrc: inputrc)
    try await terminal.expect("room> ▮")
    terminal.type("/i", "C-o")
    try await terminal.expect("/images    /include\nroom> /i▮")
    terminal.type("m", "C-d")
    try await terminal.expect("/images    /include\n/images\nroom> /im▮")
    terminal.type("BSpace", "M-*")
    try await terminal.expect("/images    /include\n/images\nroom> /images /include ▮")
    // The file is read again, and names mean the same.
    terminal.type("C-u", "C-x", "C-r", "/im", "C-o")
    try await terminal.expect("/images    /include\n/images\n/images\nroom> /im▮")
  }

  @Test func `the keys of vi complete as well`() async throws {
    let terminal = try Tmux(60, 12, inputrc: "set editing-mode vi\n")
    try await terminal.expect("room> ▮")
    terminal.type("/im", "Escape")
    try await terminal.expect("room> /i▮m")
    terminal.type("=")
    try await terminal.expect { $0.first == "/images" }
    terminal.type("\\", "x")
    try await terminal.expect("/images\nroom> /images x▮")
  }
}
