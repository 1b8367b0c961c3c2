import Testing

@testable import ChatModel

struct FileNameTests {
  @Test(arguments: [
    ("cat.png", "cat.png"), ("a/b/cat.png", "cat.png"), ("a/b/", "b"), ("", ""), ("/", "/"),
    ("https://x.example/a/b.png?c=/d#e/f", "b.png"), ("https://x.example", "x.example"),
    ("what?.png", "what?.png"), ("a#b.png", "a#b.png"), ("/\u{301}etc", "\u{301}etc"),
    ("data.png", "data.png"), ("data:image/png;base64,iVBO/Rw0=", nil), ("DATA:,", nil),
    ("dAtA:a/b", nil), ("data", "data"),
  ])
  func `a file is called as the last of its path`(_ path: String, _ name: String?) {
    #expect(fileName(ofPath: path) == name)
  }
}

struct SizeTextTests {
  @Test(
    arguments: [
      (0, "0 B"), (1, "1 B"), (999, "999 B"), (1_000, "1.0 KB"), (64_000_000, "64.0 MB"),
      (Int64.max, "9 EB"), (-1, "0 B"),
    ] as [(Int64, String)])
  func `a size is for people of any language`(_ bytes: Int64, _ text: String) {
    #expect(sizeText(bytes) == text)
  }
}
