import Glibc
import Testing

@testable import Transport

struct PathTests {
  @Test(arguments: [
    ("a", ".", "a"), ("a/b", "a", "b"), ("/a", "/", "a"), ("/a/b/c", "/a/b", "c"),
    ("a/b///", "a", "b"), ("a//b", "a", "b"), ("/", "/", "/"), ("//", "/", "/"), ("//a", "/", "a"),
    ("a/\u{301}b", "a", "\u{301}b"), ("a/\u{301}b/c", "a/\u{301}b", "c"),
    ("a/\u{200d}", "a", "\u{200d}"),
  ])
  func `takes a path apart as the file system does`(path: String, parent: String, name: String) {
    #expect(Array(Path.parent(of: path).utf8) == Array(parent.utf8))
    #expect(Array(Path.name(of: path).utf8) == Array(name.utf8))
  }

  @Test func `finds the way from the root to what is there and what is not`() throws {
    let folder = TemporaryFolder()
    try "x".append(to: folder.room("file"))
    try #require(symlink(folder.path, folder.room("link")) == 0)
    #expect(Path.absolute(folder.room("link/file")) == folder.room("file"))
    #expect(Path.absolute(folder.room("link/new")) == folder.room("new"))
    #expect(Path.absolute(folder.room("none/new")) == folder.room("none/new"))
    #expect(Path.absolute("/no such file") == "/no such file")
    let here = try #require(Path.resolved("."))
    #expect(Path.absolute("no such file") == here + "/no such file")
    #expect(Path.absolute("none/new") == here + "/none/new")
  }
}
