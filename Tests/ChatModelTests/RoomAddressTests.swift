import ChatModel
import Testing

/// What names a room.
@Suite struct RoomAddressTests {
  @Test(
    arguments: [
      ("lobby", .named("lobby"), "lobby"),
      ("회의", .named("회의"), "회의"),
      ("-x", .named("-x"), "-x"),
      ("./a/b.jsonl", .file(path: "./a/b.jsonl"), "b"),
      ("notes.jsonl", .file(path: "notes.jsonl"), "notes"),
      ("/tmp/room", .file(path: "/tmp/room"), "room"),
      ("file:///tmp/a%20b.jsonl", .file(path: "/tmp/a b.jsonl"), "a b"),
      ("file://localhost/tmp/x.jsonl", .file(path: "/tmp/x.jsonl"), "x"),
      ("unix:///run/banter?room=team", .socket(path: "/run/banter", room: "team"), "team"),
      (
        "tcp://host:7750/room", .remote(scheme: "tcp", authority: "host:7750", room: "room"), "room"
      ),
      (
        "IRCS://nick@host/#chan", .remote(scheme: "ircs", authority: "nick@host", room: "#chan"),
        "#chan"
      ),
      ("irc://host#chan", .remote(scheme: "irc", authority: "host", room: "#chan"), "#chan"),
      ("nats://a,b,c/r%2F1", .remote(scheme: "nats", authority: "a,b,c", room: "r/1"), "r/1"),
    ] as [(String, RoomAddress.Place, String)])
  func `reads names, paths and addresses`(text: String, place: RoomAddress.Place, name: String)
    throws
  {
    let address = try RoomAddress(text)
    #expect(address.place == place)
    #expect(address.displayName == name)
    #expect(address.text == text)
  }

  @Test(arguments: [
    "", ".", "..", "a/", "a\0b", String(repeating: "x", count: 201), "file://host/x.jsonl",
    "unix:///run/banter", "unix://run?room=x", "unix:///run/x?room=", "tcp:///room",
    "ssh://-oProxyCommand=x/room", "tcp://host/%zz", "tcp://host/%f", "tcp://host/%ff",
    "tcp://host/%00", "tcp://host/%+1",
  ])
  func `refuses what names none, and says why`(text: String) {
    let error = #expect(throws: RoomAddressError.self) { try RoomAddress(text) }
    #expect(error?.reason.isEmpty == false)
  }
}
