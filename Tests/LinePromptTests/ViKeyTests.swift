import Testing

/// vi's mode as readline's users know it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ViKeyTests {
  /// A prompt at which a key may follow another for as long as anybody likes.
  private func prompt(timeout: Int = 60_000) async throws -> Tmux {
    let inputrc = """
      set editing-mode vi
      set keyseq-timeout \(timeout)
      set show-mode-in-prompt on
      set vi-ins-mode-string +
      set vi-cmd-mode-string :

      """
    let terminal = try Tmux(60, 12, inputrc: inputrc)
    try await terminal.expect("+room> ▮")
    return terminal
  }

  /// Types ESC and waits until it has been read.
  private func escape(_ terminal: Tmux) async throws {
    terminal.type("Escape")
    terminal.arrive("read")
    try await terminal.expect { $0.contains("read") && $0.last?.hasSuffix("▮") == true }
  }

  @Test(arguments: [
    ("h", ":room> o▮ne"), ("e", ":room> on▮e"), ("a", "+room> one▮"), ("Enter", "+room> ▮"),
  ])
  func `ESC ends insertion, whatever follows soon`(key: String, shows: String) async throws {
    let terminal = try await prompt()
    terminal.type("one")
    try await terminal.expect("+room> one▮")
    try await escape(terminal)
    terminal.type(key)
    try await terminal.expect { $0.last == shows && !$0.contains("NEXT") }
  }

  @Test(arguments: [
    ("h", "▮"), ("e", "+room> one+edited▮"), ("a", "NEXT\n+room> one▮"), ("\r", "+room> one\n▮"),
    ("\n", "+room> one\n▮"),
  ])
  func `a key with Alt means what it means in insertion`(key: String, shows: String) async throws {
    let terminal = try await prompt()
    terminal.type("one")
    try await terminal.expect("+room> one▮")
    terminal.send("\u{1B}" + key)
    try await terminal.expect(shows)
  }

  private static let family = "👨‍👩‍👧"
  /// 한글, of which each is three code points; 한글 itself is equal to it.
  private static let jamo = "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"

  /// What is typed, keys after ESC, and the line that is entered.
  static let changes: [(typed: String, keys: String, line: String)] = [
    (jamo, "0ylp", "한한글"), (jamo, "0yl2p", "한한한글"),
    (jamo, "0ylP", "한한글"), ("🇰🇷🇯🇵b", "0ylp", "🇰🇷🇰🇷🇯🇵b"),
    ("\(family)b", "0ylp", "\(family)\(family)b"), ("ab", "0ylp.", "aaab"), ("ab", "ylpx", "ab"),
    ("\(family)b", "0RX", "Xb"), (jamo, "0RX", "X글"), ("ab", "0R\(family)", "\(family)b"),
    ("e\u{301}f", "0Ra\u{301}", "a\u{301}f"), ("abc", "0Rxyz!", "xyz!"),
    ("\(family)bc", "0RXY\u{7F}\u{7F}", "\(family)bc"), ("abcd", "0RXY\u{1B}l.", "XYXY"),
    ("abcd", "0RXY\u{1B}u", "abcd"),
  ]

  @Test(arguments: changes)
  func `vi changes whole clusters`(typed: String, keys: String, line: String) async throws {
    let terminal = try await prompt()
    terminal.type(text: typed)
    try await terminal.expect { $0.last?.hasSuffix("\(typed)▮") == true }
    for (number, part) in keys.split(separator: "\u{1B}").enumerated() {
      terminal.type("Escape")
      terminal.arrive("read \(number)")
      try await terminal.expect { $0.contains("read \(number)") }
      terminal.type(text: String(part))
      terminal.arrive("typed \(number)")
      try await terminal.expect { $0.contains("typed \(number)") }
    }
    terminal.type("Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[\(line)]", "+room> ▮"] }
  }

  @Test(arguments: [10, 30, 200])
  func `what was inserted is repeated whole`(count: Int) async throws {
    let terminal = try await prompt()
    let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz가나다")
    let text = String((0..<count).map { letters[$0 % letters.count] })
    terminal.send(text)
    try await terminal.expect { $0.joined().hasSuffix("\(text.suffix(9))▮") }
    try await escape(terminal)
    terminal.type(text: "$.")
    terminal.type("Enter")
    let whole = text.dropLast() + text + text.suffix(1)
    try await terminal.expect { $0.joined().hasSuffix("GOT[\(whole)]+room> ▮") }
  }

  @Test func `a paste is part of what was inserted`() async throws {
    let terminal = try await prompt()
    terminal.type("one ")
    terminal.paste("two ")
    terminal.type("three")
    try await terminal.expect("+room> one two three▮")
    try await escape(terminal)
    terminal.type(text: "$.")
    terminal.type("Enter")
    try await terminal.expect { $0.suffix(2).first == "GOT[one two threone two threee]" }
  }

  @Test func `ESC ends typing over at once`() async throws {
    let terminal = try await prompt(timeout: 50)
    terminal.type("abc", "Escape")
    try await terminal.expect(":room> ab▮c")
    terminal.type("0", "R", "x", "Left", "y")
    try await terminal.expect("+room> y▮bc")
    terminal.type("Escape")
    try await terminal.expect(":room> ▮ybc")
  }
}

/// Typing over in emacs's mode.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OverwriteModeTests {
  @Test func `whole clusters are typed over`() async throws {
    let terminal = try Tmux(40, 10, inputrc: "\"\\C-o\": overwrite-mode\n")
    try await terminal.expect("room> ▮")
    terminal.type(text: "👨‍👩‍👧bc")
    terminal.type("C-a", "C-o", "x", "민", "Enter")
    try await terminal.expect("GOT[x민c]\nroom> ▮")
  }
}
