import TestSupport
import Testing

@testable import Transport

struct SSHAddressTests {
  @Test(
    arguments: [
      ("host", "host", nil), ("kim@host", "kim@host", nil), ("kim@host:2222", "kim@host", 2222),
      ("host:1", "host", 1), ("[::1]", "::1", nil), ("kim@[::1]:65535", "kim@::1", 65535),
      ("a@b@host", "a@b@host", nil), ("호스트:22", "호스트", 22),
    ] as [(String, String, Int?)])
  func `reads user, host and port`(authority: String, destination: String, port: Int?) throws {
    let address = try #require(SSHAddress(authority: authority, room: "a/b.jsonl"))
    #expect(address.destination == destination)
    #expect(address.port == port)
    #expect(address.path == "/a/b.jsonl")
  }

  @Test(arguments: [
    "", "host:", "host:0", "host:65536", "host:+1", "host:22a", "::1", "[::1", "[]", "-host",
    "kim@-host", "-kim@host", "@host", "[-x]", "[::1]x", "kim@",
  ])
  func `refuses what is no host with a port`(authority: String) {
    #expect(SSHAddress(authority: authority, room: "a.jsonl") == nil)
  }

  @Test(arguments: ["", "folder", "a.json", ".jsonl"])
  func `refuses what is no room file`(room: String) {
    #expect(SSHAddress(authority: "host", room: room) == nil)
  }

  @Test func `gives ssh its words behind the options`() throws {
    let address = try #require(SSHAddress(authority: "kim@host:2222", room: "it's.jsonl"))
    let arguments = address.arguments(asks: false)
    #expect(
      arguments.suffix(5) == [
        "-p", "2222", "--", "kim@host", "banter serve --stdio '/it'\\''s.jsonl'",
      ])
    #expect(arguments.contains("BatchMode=yes"))
    #expect(address.arguments(asks: true).contains("BatchMode=no"))
  }

  @Test(arguments: [
    "/plain.jsonl", "/it's.jsonl", "/'.jsonl", "/''''.jsonl", "/two words  three.jsonl",
    "/new\nline.jsonl", "/$(touch /tmp/x).jsonl", "/`id`.jsonl", "/\"$HOME\".jsonl",
    "/back\\slash\\'.jsonl", "/;id;&|<>*?[a]~#!.jsonl", "/방/대화 방.jsonl",
    "/\u{1F468}\u{200D}\u{1F469}.jsonl",
    "/e\u{301}'\u{301}.jsonl", "/-n.jsonl", "/tab\t\u{1}\u{7F}.jsonl",
  ])
  func `a shell reads a quoted path as it is`(path: String) async {
    let word = SSHAddress.quoted(path)
    for shell in ["sh", "bash"] {
      let script = "printf %s,%s \(word) \(word)"
      let outcome = await Program.run("exec \(shell) -c \(TestSupport.quoted(script))")
      #expect(outcome.output == Array("\(path),\(path)".utf8))
    }
  }
}
