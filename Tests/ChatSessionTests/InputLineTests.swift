import ChatSession
import Testing

struct InputLineTests {
  @Test(arguments: [
    ("", InputLine.empty), (" \n\t", .empty), ("\u{200b}", .empty),
    ("hello", .message("hello")), ("  hello ", .message("  hello ")),
    ("//me", .message("/me")), ("///", .message("//")), ("a /b", .message("a /b")),
    (" //x", .message(" //x")), ("a\n/quit", .message("a\n/quit")),
    ("/quit", .command(name: "quit", arguments: "")),
    ("/me  waves ", .command(name: "me", arguments: "waves")),
    ("/me a\nb", .command(name: "me", arguments: "a\nb")),
    ("/me\u{3000}a", .command(name: "me", arguments: "a")),
    ("/", .command(name: "", arguments: "")),
    (" /quit", .indentedCommand), ("\n/quit", .indentedCommand),
    ("\u{200b}/quit", .indentedCommand),
    ("\u{feff}/msg nickserv secret", .indentedCommand),
    ("/quit\n", .splitCommand), ("/quit\r\nhello", .splitCommand), ("/quit \n/quit", .splitCommand),
  ])
  func `tells messages from commands`(_ line: String, _ meaning: InputLine) {
    #expect(InputLine(line) == meaning)
  }

  @Test(arguments: ["/\u{301}quit", "/\u{fe0f}quit", "/\u{20dd}"])
  func `takes a slash with a mark on it for a command`(_ line: String) {
    guard case .command = InputLine(line) else {
      Issue.record("\(line) would be said aloud")
      return
    }
  }

  @Test(arguments: [
    ("profle", "profile"), ("qiut", "quit"), ("hlep", "help"), ("QUIT", "quit"), ("repyl", "reply"),
  ])
  func `finds the command that was meant`(_ typed: String, _ meant: String) {
    #expect(Command.nearest(to: typed) == meant)
  }

  @Test(arguments: ["", "x", "zz", "bananas", String(repeating: "q", count: 1 << 20)])
  func `finds no command where none is meant`(_ typed: String) {
    #expect(Command.nearest(to: typed) == nil)
  }

  @Test func `has each command once, in order, with help in both languages`() {
    let names = Command.all.map(\.name)
    #expect(names == Array(Set(names)).sorted())
    #expect(Command.all.allSatisfy { !$0.english.isEmpty && !$0.korean.isEmpty })
  }
}
