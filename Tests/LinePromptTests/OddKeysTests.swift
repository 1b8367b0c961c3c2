import Testing

/// Keys that come in an unusual way, or at an unusual time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OddKeysTests {
  @Test func `a paste that begins in two parts holds nothing up`() async throws {
    let terminal = try Tmux(40, 10, inputrc: "set keyseq-timeout 50\n")
    try await terminal.expect("room> ▮")
    terminal.type("draft ")
    terminal.send("\u{1B}[20")
    // Twice as long as keys of a sequence may be apart.
    try await Task.sleep(for: .milliseconds(100))
    terminal.send("0~pas\nted\u{1B}[20")
    try await Task.sleep(for: .milliseconds(100))
    terminal.send("1~!")
    try await terminal.expect("room> draft pas\nted!▮")
    terminal.arrive("arrived")
    try await terminal.expect("arrived\nroom> draft pas\nted!▮")
  }

  @Test(arguments: [#""\C-xp": "\e[200~x""#, #""\C-xp": bracketed-paste-begin"#])
  func `a paste that only readline sees begin holds nothing up`(inputrc: String) async throws {
    let terminal = try Tmux(40, 10, inputrc: inputrc + "\n")
    try await terminal.expect("room> ▮")
    terminal.type("C-x", "p", "y")
    try await terminal.expect { $0.last?.hasSuffix("y▮") == true }
    terminal.arrive("arrived")
    try await terminal.expect { $0.first == "arrived" && $0.last?.hasSuffix("y▮") == true }
  }

  @Test(arguments: ["TERM=linux", "TERM=dumb"])
  func `an unmarked paste may be the first that is typed`(environment: String) async throws {
    let terminal = try Tmux(40, 10, environment: environment)
    try await terminal.expect("room> ▮")
    terminal.paste("one\ntwo\nthree")
    try await terminal.expect { $0.last?.hasSuffix("three▮") == true }
    terminal.type("Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[one\\ntwo\\nthree]", "room> ▮"] }
    terminal.type("/lend")
    try await terminal.expect { $0.last == "room> /lend▮" }
    terminal.type("Enter")
    try await terminal.expect { $0.last == "▮" }
    terminal.type("back", "Enter")
    try await terminal.expect { $0.suffix(2) == ["BACK[back]", "room> ▮"] }
    terminal.paste("four\nfive")
    try await terminal.expect { $0.last?.hasSuffix("five▮") == true }
  }

  @Test func `lines that were typed ahead are lines`() async throws {
    let terminal = try Tmux(
      40, 10, environment: "TERM=linux",
      command: "read go <$FIFO; $DEMO $FIFO")
    terminal.type(text: "one\ntwo\nrest")
    try await terminal.expect { $0.last == "rest▮" }
    terminal.arrive("go")
    try await terminal.expect { $0.suffix(3) == ["GOT[one]", "GOT[two]", "room> rest▮"] }
  }

  @Test func `keys typed right behind the editor's are for the line that comes back`()
    async throws
  {
    let terminal = try Tmux(40, 10, environment: "DEMO_EDITOR=1")
    try await terminal.expect("room> ▮")
    terminal.send("hello\u{1B}exyz")
    try await terminal.expect { $0.last == "room> hello+editedxyz▮" }
  }

  @Test func `the rest of a macro is for the line that comes back, too`() async throws {
    let inputrc = #""\C-xm": "one\C-jtwo\eexyz""# + "\n"
    let terminal = try Tmux(40, 10, inputrc: inputrc, environment: "DEMO_EDITOR=1")
    try await terminal.expect("room> ▮")
    terminal.send("\u{18}m!")
    try await terminal.expect { $0.last == "room> two+editedxyz!▮" && $0.contains("GOT[one]") }
  }

  @Test(arguments: [("", "\u{1B}999999999a"), ("set editing-mode vi\n", "x\u{1B}999999999ia")])
  func `a numeric argument has a limit`(inputrc: String, keys: String) async throws {
    let terminal = try Tmux(40, 10, inputrc: inputrc)
    try await terminal.expect("room> ▮")
    terminal.send(keys)
    terminal.arrive("arrived")
    try await terminal.expect { $0.first == "arrived" && $0.last?.contains("a▮") == true }
  }

  @Test func `what follows C-v is inserted, a paste ends it`() async throws {
    let terminal = try Tmux(40, 10)
    try await terminal.expect("room> ▮")
    terminal.type("C-v")
    terminal.paste("abc")
    try await terminal.expect("room> abc▮")
    terminal.type("Enter")
    try await terminal.expect("GOT[abc]\nroom> ▮")
    let text = String(repeating: "0123456789", count: 10)
    terminal.send("\u{16}\t" + text + "\u{16}" + text + "\r")
    try await terminal.expect { $0.joined().hasSuffix("GOT[\\t\(text)\(text)]room> ▮") }
    terminal.type("ab", "C-v")
    terminal.arrive("read")
    try await terminal.expect { $0.contains("read") && $0.last == "room> ab▮" }
    terminal.type("C-c")
    terminal.type("Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[ab]", "room> ▮"] }
  }

  @Test(arguments: [
    #""\C-xa": "\C-xa""#, #""\C-xa": "x\C-xb""# + "\n" + #""\C-xb": "y\C-xa""#,
    #""\C-xa": "sent\C-j\C-xa""#, #""\C-xa": "\C-xab""#,
  ])
  func `a macro that calls itself ends`(inputrc: String) async throws {
    let terminal = try Tmux(40, 10, inputrc: inputrc + "\n")
    try await terminal.expect("room> ▮")
    terminal.type("C-x", "a")
    try await terminal.expect { _ in terminal.bytes.contains("\u{07}") }
    terminal.type("!", "C-e", "?", "Enter", "C-d")
    try await terminal.expect { $0.contains { $0.contains("GOT[") && $0.contains("?]") } }
    try await terminal.expect { $0.contains("EXIT 0") }
  }
}
