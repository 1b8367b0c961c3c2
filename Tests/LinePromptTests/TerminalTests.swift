import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct TerminalTests {
  @Test func `a paste is one pending message, tabs and line ends as they are`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.paste("a\tb\n\ty\n/quit")
    try await terminal.expect("room> a b\n        y\n/quit▮")
    terminal.arrive("arrived")
    try await terminal.expect("arrived\nroom> a b\n        y\n/quit▮")
    terminal.type("C-_")
    try await terminal.expect("arrived\nroom> ▮")
    terminal.paste("x\ty\n")
    terminal.type("Enter")
    try await terminal.expect("arrived\nGOT[x\\ty\\n]\nroom> ▮")
  }

  @Test(arguments: [
    ("set enable-bracketed-paste off\n", ""), ("", "TERM=dumb"), ("", "DEMO_PLAIN=1"),
  ])
  func `a paste that the terminal does not mark sends and completes nothing`(
    inputrc: String, environment: String
  ) async throws {
    let terminal = try Tmux(40, 10, inputrc: inputrc, environment: environment)
    try await terminal.expect("room> ▮")
    terminal.type("q")
    try await terminal.expect("room> q▮")
    terminal.paste("a\tb\n\ty\n")
    try await terminal.expect { $0.joined().contains("y") }
    terminal.type("Enter")
    try await terminal.expect("GOT[qa\\tb\\n\\ty\\n]\nroom> ▮")
  }

  @Test func `an unfinished paste holds no arrival up, tells of itself, and Ctrl-C ends it`()
    async throws
  {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("ab")
    terminal.send("\u{1B}[200~kept")
    terminal.arrive("arrived")
    try await terminal.expect("arrived\nroom> ab▮")
    try await terminal.expect("arrived\n(paste: Ctrl-C ends it) ab▮")
    terminal.type(" all")
    terminal.type("C-c")
    terminal.type("c")
    terminal.send("\u{1B}[201~")
    try await terminal.expect("arrived\nroom> abkept allc▮")
    terminal.send("\u{1B}[200~slow")
    try await terminal.expect("arrived\n(paste: Ctrl-C ends it) abkept allc▮")
    terminal.send("ly\u{1B}[201~d")
    try await terminal.expect("arrived\nroom> abkept allcslowlyd▮")
    terminal.type("M-h")
    try await terminal.expect("arrived\n▮")
    terminal.send("\u{1B}[200~")
    try await terminal.expect("arrived\n(paste: Ctrl-C ends it) abkept allcslow\nlyd▮")
  }

  @Test func `a long text that the terminal does not mark as pasted is there soon`() async throws {
    let terminal = try Tmux(40, 10, inputrc: "set enable-bracketed-paste off\n")
    try await terminal.expect("room> ▮")
    let text = String(repeating: "글 word ", count: 100_000)
    let start = ContinuousClock.now
    terminal.paste(text + "end")
    try await terminal.expect { $0.joined().hasSuffix("word end▮") }
    #expect(ContinuousClock.now - start < .seconds(10))
    terminal.type("C-a")
    try await terminal.expect { $0.first?.hasPrefix("room> ▮글 word") == true }
  }

  @Test func `a terminal's replies never land in the line`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("a")
    terminal.send("\u{1B}[?62;22c\u{1B}]11;rgb:0/0/0\u{1B}\\")
    terminal.type("b")
    try await terminal.expect("REPLY 9\nREPLY 16\nroom> ab▮")
  }

  @Test(arguments: [("lend", "LENT"), ("quit", "QUIT"), ("stop", "Stopped")])
  func `what the terminal has still to answer is nobody else's`(next: String, sign: String)
    async throws
  {
    let terminal = try Tmux(60, 12, command: "bash --norc --noprofile")
    try await terminal.expect { $0.last == "sh> ▮" }
    terminal.type("clear; $DEMO", "Enter")
    try await terminal.expect { $0.last == "room> ▮" }
    terminal.type("/query \(next)", "Enter")
    try await terminal.expect { $0.contains("ASKED") }
    terminal.send("\u{1B}[?62;22c")
    try await terminal.expect { $0.contains { $0.contains(sign) } }
    terminal.type(next == "lend" ? "word" : "echo =word=", "Enter")
    let answer = next == "lend" ? "BACK[word]" : "=word="
    try await terminal.expect { $0.contains(answer) && !$0.joined().contains("62;22c") }
  }

  @Test func `a terminal that answers nothing is waited for no longer than it may take`()
    async throws
  {
    let terminal = try Tmux(60, 12)
    try await terminal.expect("room> ▮")
    terminal.type("/query quit", "Enter")
    try await terminal.expect("ASKED\nQUIT\nEXIT 0\n▮")
  }

  @Test func `keys that come in one read after a numeric argument all count`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("ab", "M-3")
    try await terminal.expect("(arg: 3) ab▮")
    terminal.send("x\r")
    try await terminal.expect("GOT[abxxx]\nroom> ▮")
  }

  @Test func `idle writes nothing, and a key its echo`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("ab")
    try await terminal.expect("room> ab▮")
    try await terminal.expect { _ in terminal.bytes.hasSuffix("ab") }
    let before = terminal.bytes
    terminal.type("c")
    try await terminal.expect { _ in terminal.bytes == before + "c" }
  }

  @Test(arguments: ["TERM=dumb", "TERM=", "TERM=nobody-knows", "DEMO_PLAIN=1"])
  func `a dumb terminal never gets an escape`(environment: String) async throws {
    let terminal = try Tmux(30, 12, environment: environment)
    try await terminal.expect("room> ▮")
    terminal.type("hello there world and more than thirty")
    try await terminal.expect { $0.last?.hasSuffix("thirty▮") == true }
    terminal.arrive("arrived")
    try await terminal.expect { $0.first == "arrived" && $0.last?.hasSuffix("thirty▮") == true }
    terminal.type("C-a", "C-r", "th", "C-g", "C-u", "C-k", "/i", "Tab", "Tab")
    try await terminal.expect("arrived\n/images    /include\nroom> /i▮")
    terminal.type("m", "Tab", "Enter")
    try await terminal.expect("arrived\n/images    /include\nGOT[/images ]\nroom> ▮")
    terminal.type("C-d")
    try await terminal.expect { $0.contains("EXIT 0") }
    #expect(!terminal.bytes.contains("\u{1B}"))
  }

  @Test func `a coloured prompt is measured without its colours`() async throws {
    let prompt = "DEMO_PROMPT=\"$(printf '\\033[1;31mro\\033[0mom> ')\""
    let terminal = try Tmux(20, 10, command: "\(prompt) $DEMO")
    try await terminal.expect("room> ▮")
    terminal.type("1234567890123")
    try await terminal.expect("room> 1234567890123▮")
    terminal.type("4")
    try await terminal.expect("room> 1234567890123\n4▮")
    terminal.type("Home")
    try await terminal.expect("room> ▮1234567890123\n4")
  }

  @Test func `text and cursor are exact after each change of the window's size`() async throws {
    let terminal = try Tmux(60, 10)
    try await terminal.expect("room> ▮")
    terminal.type("one two three four five six", "M-b", "M-b")
    try await terminal.expect("room> one two three four ▮five six")
    terminal.resize(20, 10)
    try await terminal.expect("SIZE 20x10\nroom> one two three\n four ▮five six")
    terminal.resize(60, 10)
    try await terminal.expect("SIZE 20x10\nSIZE 60x10\nroom> one two three four ▮five six")
    terminal.resize(1, 3)
    terminal.arrive("x")
    terminal.resize(40, 10)
    try await terminal.expect { $0.last == "room> one two three four ▮five six" }
    terminal.type("X", "Enter")
    try await terminal.expect { $0.contains("GOT[one two three four Xfive six]") }
  }

  @Test func `Tab inserts what is common, then lists`() async throws {
    let terminal = try Tmux(40, 12)
    try await terminal.expect("room> ▮")
    terminal.type("na", "Tab")
    try await terminal.expect("room> name▮")
    terminal.type("Tab", "Tab")
    try await terminal.expect { $0.last == "room> name▮" && $0.contains("… and 35 more") }
    terminal.type("C-u", "민", "Tab", "x")
    try await terminal.expect { $0.last == "room> 민수: x▮" }
  }

  @Test func `Alt-Enter is a new line, Backspace takes whole clusters`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("a", "M-Enter", "e\u{301}x", "BSpace", "BSpace", "b")
    try await terminal.expect("room> a\nb▮")
    terminal.type("Enter")
    try await terminal.expect("GOT[a\\nb]\nroom> ▮")
  }

  @Test func `Ctrl-C ends a search, then clears, then is told`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("typed", "C-r", "x")
    try await terminal.expect { $0.last?.contains("search)`x'") == true }
    terminal.type("C-c")
    try await terminal.expect("room> typed▮")
    terminal.type("M-3")
    try await terminal.expect("(arg: 3) typed▮")
    terminal.type("C-c")
    try await terminal.expect("room> typed▮")
    terminal.type("C-c")
    try await terminal.expect("room> ▮")
    terminal.type("C-_")
    try await terminal.expect("room> typed▮")
    terminal.type("C-c")
    try await terminal.expect("room> ▮")
    terminal.type("C-c")
    try await terminal.expect("INTERRUPT\nroom> ▮")
  }
}
