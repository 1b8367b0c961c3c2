import Testing

@testable import ChatModel

struct RoomAddressTests {
  @Test(arguments: [
    ("lobby", RoomAddress.Place.named("lobby")),
    ("대한민국 방", .named("대한민국 방")),
    ("-x", .named("-x")), ("...", .named("...")), ("a:b", .named("a:b")),
    ("#chan", .named("#chan")),
    ("./lobby", .file(path: "./lobby")), ("lobby.jsonl", .file(path: "lobby.jsonl")),
    ("/tmp/a b.jsonl", .file(path: "/tmp/a b.jsonl")), ("a//b", .file(path: "a//b")),
    ("file:///tmp/x.jsonl", .file(path: "/tmp/x.jsonl")),
    ("FILE://localhost/tmp/x", .file(path: "/tmp/x")),
    ("file:///tmp/%EB%B0%A9%20%23.jsonl", .file(path: "/tmp/방 #.jsonl")),
    ("file:///tmp/a#b?c", .file(path: "/tmp/a#b?c")),
    ("unix:///run/hub.sock?room=lobby", .socket(path: "/run/hub.sock", room: "lobby")),
    ("unix:///run/a%3Fb?room=%EB%B0%A9", .socket(path: "/run/a?b", room: "방")),
    ("tcp://host/lobby", .remote(scheme: "tcp", authority: "host", room: "lobby")),
    ("tcp://host:7750/a%20b", .remote(scheme: "tcp", authority: "host:7750", room: "a b")),
    ("tcp://[::1]:7750/r", .remote(scheme: "tcp", authority: "[::1]:7750", room: "r")),
    ("tls://host", .remote(scheme: "tls", authority: "host", room: "")),
    ("TLS://Host/", .remote(scheme: "tls", authority: "Host", room: "")),
    ("tcp://my-host/r", .remote(scheme: "tcp", authority: "my-host", room: "r")),
    ("tcp://host/#chan", .remote(scheme: "tcp", authority: "host", room: "#chan")),
    (
      "ssh://jane@host:22/abs/path.jsonl",
      .remote(scheme: "ssh", authority: "jane@host:22", room: "abs/path.jsonl")
    ),
    ("irc://irc.net/#chan", .remote(scheme: "irc", authority: "irc.net", room: "#chan")),
    ("irc://irc.net#chan", .remote(scheme: "irc", authority: "irc.net", room: "#chan")),
    ("irc://irc.net/%23chan", .remote(scheme: "irc", authority: "irc.net", room: "#chan")),
    ("x-y.z+1://a/b/c", .remote(scheme: "x-y.z+1", authority: "a", room: "b/c")),
  ])
  func `reads names, paths and addresses`(text: String, place: RoomAddress.Place) throws {
    let address = try RoomAddress(text)
    #expect(address.place == place)
    #expect(address.text == text)
  }

  @Test(arguments: [
    ("", "it is empty"), (".", "it names a folder"), ("..", "it names a folder"),
    ("a/", "it names a folder"), ("/", "it names a folder"), ("a/..", "it names a folder"),

    (String(repeating: "방", count: 67), "200 bytes"),
    ("file://", "whole path"), ("file://#x", "whole path"), ("file://localhost", "whole path"),
    ("file:///", "it names a folder"), ("file:///a/", "it names a folder"),
    ("file:///a/%2e%2e", "it names a folder"), ("file://other/x", "on this machine"),
    ("file:///a%", "two hexadecimal digits"), ("file:///a%4", "two hexadecimal digits"),
    ("file:///a%zz", "two hexadecimal digits"), ("file:///a%+1", "two hexadecimal digits"),
    ("file:///a%-1", "two hexadecimal digits"), ("file:///a%00", "two hexadecimal digits"),
    ("file:///a%ff", "not UTF-8"), ("unix://run/x?room=a", "whole path"),
    ("unix:///run/x", "names no room"), ("unix:///run/x?room=", "names no room"),
    ("unix:///run/x?rum=a", "names no room"), ("unix:///x?room=..%2fa", "no /"),
    ("tcp://", "no host"), ("tcp:///room", "no host"), ("ssh://jane@/x", "no host"),
    ("tcp://-host/room", "begin with -"), ("ssh://-oProxyCommand=x/y", "begin with -"),
    ("ssh://jane@-oProxyCommand=x/y", "begin with -"), ("ssh://-l@host/y", "begin with -"),
    ("tcp://ho st/r", "no blanks"),
    ("tcp://host/a/b", "no /"), ("tcp://host/..", "folder"), ("tls://host/%2e%2e", "folder"),
    ("tls://host/..%2F..%2Fetc%2Fpasswd", "no /"), ("tcp://host/a%0ab", "control"),
  ])
  func `says why a text is no room`(text: String, reason: String) {
    #expect {
      try RoomAddress(text)
    } throws: { error in
      "\(error)".contains(reason)
    }
  }

  /// In a loop, for the sake of the terminal that shows a test's arguments.
  @Test func `refuses control characters in names and hosts`() {
    for character in ["\u{0}", "\n", "\u{1b}", "\u{7f}", "\u{9b}"] {
      #expect(throws: RoomAddressError.self) { try RoomAddress("a\(character)b") }
      #expect(throws: RoomAddressError.self) { try RoomAddress("tcp://host/a\(character)b") }
    }
    #expect(throws: RoomAddressError.self) { try RoomAddress("tcp://a\u{1b}b/room") }
    #expect(throws: RoomAddressError.self) { try RoomAddress("/tmp/a\u{0}b.jsonl") }
  }

  @Test(arguments: [
    ("../\u{301}x", RoomAddress.Place.file(path: "../\u{301}x")),
    ("tcp://host/\u{301}r", .remote(scheme: "tcp", authority: "host", room: "\u{301}r")),
    ("a.jsonl\u{301}", .named("a.jsonl\u{301}")),
  ])
  func `is not misled by combining marks`(text: String, place: RoomAddress.Place) throws {
    #expect(try RoomAddress(text).place == place)
  }

  @Test(arguments: ["ssh://-\u{301}host/x", "tcp://h/a/\u{301}b", "unix:///s?room=a%2F%CC%81b"])
  func `refuses what combining marks would hide`(text: String) {
    #expect(throws: RoomAddressError.self) { try RoomAddress(text) }
  }

  @Test(arguments: [
    ("lobby", "lobby"), ("/tmp/x.jsonl", "x"), ("./x", "x"), ("a/.jsonl", ".jsonl"),
    ("unix:///s?room=r", "r"), ("tcp://host/r", "r"), ("tcp://host", "host"),
    ("irc://irc.net/#chan", "#chan"),
  ])
  func `has a name for the prompt`(text: String, name: String) throws {
    #expect(try RoomAddress(text).displayName == name)
  }

  @Test(arguments: [
    ("tcp://host/team", "other", "tcp://host/other"),
    ("tls://me@host:7751/team", "방 1", "tls://me@host:7751/방%201"),
    ("irc://net/#a", "#b", "irc://net/#b"), ("irc://net", "#b", "irc://net/#b"),
    ("irc://net/a", "100%", "irc://net/100%25"),
    ("board:///tmp/one", "tmp/two", "board:///tmp/two"),
    ("unix:///run/a?room=team", "o?", "unix:///run/a?room=o%3F"),
    ("ssh://host/srv/team.jsonl", "other", "ssh://host/srv/other.jsonl"),
    ("ssh://host/team.jsonl", "other.jsonl", "ssh://host/other.jsonl"),
  ])
  func `a room has siblings at its far side`(
    _ text: String, _ name: String, _ sibling: String
  ) throws {
    let address = try #require(try RoomAddress(text).sibling(named: name))
    #expect(address.text == sibling)
    #expect(try address.place == RoomAddress(sibling).place)
    #expect(["ssh", "unix"].contains(text.prefix { $0 != ":" }) || address.displayName == name)
  }

  @Test(arguments: [
    ("lobby", "other"), ("./a.jsonl", "other"), ("tcp://host/team", "a/b"),
    ("tcp://host/team", ".."),
  ])
  func `a room has no sibling of that name`(_ text: String, _ name: String) throws {
    #expect(try RoomAddress(text).sibling(named: name) == nil)
  }

  @Test(arguments: [
    ("lobby", "lobby"), ("/srv/a/team.jsonl", "team@a"), ("team.jsonl", "team@."),
    ("/team.jsonl", "team@/"), ("tcp://host:1/team", "team@host:1"),
    ("unix:///run/hub.socket?room=team", "team@hub.socket"), ("board:///team", "team@board"),
  ])
  func `a name tells a room from others of its name`(_ text: String, _ name: String) throws {
    #expect(try RoomAddress(text).qualifiedName == name)
  }
}
