import Testing

/// Keys that act on characters act on grapheme clusters, in vi's mode as well.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClusterKeyTests {
  /// A line, keys of vi's command mode, and the line that they make.
  static let changes: [(line: String, keys: [String], result: String)] = [
    ("a👨‍👩‍👧b", ["0", "l", "r", "x"], "axb"), ("👨‍👩‍👧👨‍👩‍👧b", ["0", "2", "r", "민"], "민민b"),
    ("👨‍👩‍👧b", ["0", "r", "Escape", "x"], "b"), ("abc", ["0", "2", "r", "x"], "xxc"),
    ("ae\u{301}b", ["0", "3", "~"], "AE\u{301}B"), ("👨‍👩‍👧b", ["0", "~", "~"], "👨‍👩‍👧B"),
    ("abc", ["0", "2", "~"], "ABc"), ("👨‍👩‍👧b", ["0", "d", "l"], "b"),
    ("a👨‍👩‍👧", ["0", "l", "d", "l"], "a"), ("👨‍👩‍👧b", ["0", "s", "x", "Escape"], "xb"),
    ("b👨‍👩‍👧c", ["$", "d", "h"], "bc"), ("👨‍👩‍👧b", ["$", "x", "0", "p"], "👨‍👩‍👧b"),
    ("👨‍👩‍👧b", ["0", "a", "x", "Escape"], "👨‍👩‍👧xb"),
  ]

  @Test(arguments: changes)
  func `vi changes whole clusters`(line: String, keys: [String], result: String) async throws {
    let inputrc = """
      set editing-mode vi
      set keyseq-timeout 50
      set show-mode-in-prompt on
      set vi-ins-mode-string +
      set vi-cmd-mode-string :

      """
    let terminal = try Tmux(40, 12, inputrc: inputrc)
    try await terminal.expect("+room> ▮")
    terminal.type(text: line)
    for (index, key) in (["Escape"] + keys).enumerated() {
      terminal.type(key)
      guard key == "Escape" else { continue }
      // A key that is read together with ESC is one with it: what arrives
      // meanwhile tells that ESC has been read.
      terminal.arrive("arrived \(index)")
      try await terminal.expect {
        $0.contains("arrived \(index)") && $0.last?.hasPrefix(":room>") == true
      }
    }
    terminal.type("Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[\(result)]", "+room> ▮"] }
  }

  @Test func `a word does not end within a cluster`() async throws {
    let terminal = try Tmux(40, 12)
    try await terminal.expect("room> ▮")
    let word = "a1\u{FE0F}\u{20E3}b"
    terminal.type(text: word + " two")
    terminal.type("M-b", "M-b", "M-f", "x", "M-b", "M-d", "C-a", "C-y", "!", "Enter")
    try await terminal.expect("GOT[\(word)x! two]\nroom> ▮")
    terminal.type(text: "one \(word)")
    terminal.type("M-BSpace", "C-a", "C-y", "-", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[\(word)-one ]", "room> ▮"] }
  }

  @Test(arguments: [["M-BSpace", "M-BSpace"], ["C-w", "M-BSpace"], ["M-BSpace", "C-w"]])
  func `words that are deleted one after the other come back together`(
    keys: [String]
  ) async throws {
    let terminal = try Tmux(40, 12)
    try await terminal.expect("room> ▮")
    terminal.type(text: "one two three")
    for key in keys { terminal.type(key) }
    terminal.type("C-a", "C-y", "Enter")
    try await terminal.expect("GOT[two threeone ]\nroom> ▮")
    // What comes between two of them parts them.
    terminal.type(text: "one two three")
    terminal.type(keys[0], "M-b", "M-f", keys[1], "C-a", "C-y", "Enter")
    try await terminal.expect { $0.suffix(2) == ["GOT[twoone  ]", "room> ▮"] }
  }
}
