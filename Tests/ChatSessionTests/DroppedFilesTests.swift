import Glibc
import TestSupport
import Testing

@testable import ChatSession

struct DroppedFilesTests {
  private let folder = TemporaryFolder()

  /// What terminals paste for a file, each in its own way.
  static let ways: [(name: String, write: @Sendable (String) -> String)] = [
    ("quoted", { quoted($0) + " " }),
    ("backslashes", { FileNames.quoted($0) + " " }),
    ("address", { "file://" + encoded($0) + "\n" }),
    ("address with a host", { "file://localhost" + encoded($0) + "\n" }),
  ]

  private static func encoded(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain = byte == UInt8(ascii: "/") || Character(Unicode.Scalar(byte)).isLetter
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain && byte < 0x80
        ? String(Unicode.Scalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }

  private static let names = [
    "a.png", "my photo.png", "it's \"x\".png", "사진 1.jpg", "e\u{301}.png", "-- x", "--", "a\\b",
    "~", "$(id)", "100%25.png", "👩‍👧.png", "two  blanks",
  ]

  @Test(arguments: ways.indices) func `become the argument that names them`(_ way: Int) throws {
    let paths = Self.names.map { folder.write($0, "") }
    for path in paths {
      #expect(DroppedFiles(Self.ways[way].write(path))?.paths == [path])
    }
    let dropped = try #require(DroppedFiles(paths.map(Self.ways[way].write).joined()))
    #expect(dropped.paths == paths)
    let argument = try #require(dropped.command.split(separator: " ", maxSplits: 1).last)
    let words = FileNames.split(String(argument)).words.map(FileNames.path(ofWord:))
    #expect(words.map { Array($0.utf8) } == paths.map { Array($0.utf8) })
    #expect(dropped.command.hasSuffix(" "))
  }

  @Test func `one may come as it is`() {
    for name in ["my photo.png", "it's.png", "a\\b.png"] {
      let path = folder.write(name, "")
      #expect(DroppedFiles(path + " ")?.paths == [path])
    }
  }

  @Test func `are files that are there, and nothing else`() {
    let path = folder.write("a.png", "")
    folder.write("b c.png", "")
    mkdir("\(folder.path)/sub", 0o700)
    mkfifo("\(folder.path)/pipe", 0o600)
    for text in [
      "", " ", "a.png", "look at \(path)", "\(path) is it", "\(folder.path)/sub",
      "\(folder.path)/pipe", "\(path) -- caption", "\(folder.path)/none.png",
      "\(path) \(folder.path)/none.png", "\(folder.path)/b c.png \(path)", "~/\(path)",
      "file://elsewhere\(path)", "file://\(path)%00", "file://\(path)%",
      "https://example.org\(path)",
      "\(path)\0", String(repeating: "\(path) ", count: 5_000),
    ] {
      #expect(DroppedFiles(text) == nil, "\(text.prefix(100))")
    }
  }
}
