import Glibc
import TestSupport
import Testing

@testable import ChatSession

struct FileNamesTests {
  @Test(arguments: [
    ("a b", ["a", "b"]), ("  a\t b\n", ["a", "b"]), (#"a\ b"#, ["a b"]),
    (#""a b" 'c d'"#, ["a b", "c d"]),
    (#"a"b"c"#, ["abc"]), (#"'a\b'"#, [#"a\b"#]), (#""a\"b""#, [#"a"b"#]), ("''", [""]),
    ("'open", ["open"]),
    (#"end\"#, [#"end\"#]), ("", []), (#"\-- x"#, ["--", "x"]), ("--x", ["--x"]),
  ])
  func `splits as a shell does`(_ argument: String, _ words: [String]) {
    let split = FileNames.split(argument)
    #expect(split.words == words)
    #expect(split.text == nil)
  }

  @Test(arguments: [
    ("~", ""), ("~/", "/"), ("~/a b", "/a b"), ("~a", nil), ("a/~", nil), ("", nil),
  ])
  func `the home folder is a word alone, too`(_ word: String, _ rest: String?) throws {
    let home = String(cString: try #require(getenv("HOME")))
    #expect(FileNames.expanded(word) == rest.map { home + $0 } ?? word)
  }

  @Test(arguments: [
    ("a.png -- it's  \"great\" \\o/ ", ["a.png"], "it's  \"great\" \\o/"), ("a --", ["a"], ""),
    ("-- x", [], "x"), ("a -- b -- c", ["a"], "b -- c"),
  ])
  func `leaves a caption as it was typed`(_ argument: String, _ words: [String], _ caption: String)
  {
    let split = FileNames.split(argument)
    #expect(split.words == words)
    #expect(split.text == caption)
  }

  @Test(arguments: [
    ("", ""), ("a", "a"), ("a ", ""), (#"a b\ c"#, #"b\ c"#), (#"a "b c"#, #""b c"#),
  ])
  func `knows where the last word begins`(_ argument: String, _ last: String) {
    #expect(argument[FileNames.split(argument).lastStart...] == last)
  }

  @Test(arguments: 0..<200) func `reads back every name that it quotes`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let parts = [
      "a", "-", "--", " ", "\t", "\n", "\r\n", "'", "\"", "\\", "\u{301}", "\u{3000}", "/", "민",
      "\u{1b}",
      "~", "$(id)", "👩‍👧", "\u{fe0f}",
    ]
    let names = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      (0..<Int.random(in: 1...5, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
    }
    let split = FileNames.split(names.map(FileNames.quoted).joined(separator: " "))
    #expect(split.words.map { Array($0.utf8) } == names.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("/a/b.png", "/a/b.png"), ("/a b", "'/a b'"), ("/a;b", "'/a;b'"), ("/사진.png", "/사진.png"),
    ("/it's", #"'/it'\''s'"#), ("/$(id)", "'/$(id)'"), ("/~", "'/~'"), ("", "''"),
  ])
  func `a shell reads back what is quoted for it`(name: String, quoted: String) {
    #expect(FileNames.shellQuoted(name) == quoted)
    #expect(Program.runAndWait("printf %s \(quoted)").text == name)
  }

  @Test func `lists a folder in order, and nothing of one that is not there`() throws {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    for name in ["b", "a", ".c"] { folder.write(name, "") }
    #expect(FileNames.entries(of: folder.path) == ["a", "b"])
    #expect(FileNames.entries(of: folder.path, hidden: true) == [".c", "a", "b"])
    #expect(FileNames.entries(of: folder.path + "/none").isEmpty)
    #expect(FileNames.isFolder(folder.path) && !FileNames.isFolder(folder.path + "/a"))
  }
}

struct FoldersTests {
  @Test func `are those of the XDG Base Directory Specification`() {
    let folders = Folders(
      environment: ["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "relative", "XDG_STATE_HOME": ""],
      home: "/home/kim")
    #expect(folders.settingsFile == "/c/banter/config.json")
    #expect(folders.rooms == "/home/kim/.local/share/banter/rooms")
    #expect(folders.inputHistory == "/home/kim/.local/state/banter/history")
    #expect(folders.cache == "/home/kim/.cache/banter")
  }
}
