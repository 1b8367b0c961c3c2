import Glibc
import TestSupport
import Testing

/// `banter plugins check`, and what it says of the plugins that are here.
extension Promises.Plugins {
  @Test func `the check tells what was asked for, and gives what is kept`() async throws {
    let world = world(misbehaving: "asks")
    let check = "$banter plugins check fake fake://me@here/team"
    let without = await world.run(check, seconds: 90)
    #expect(without.status == 76, "\(without)")
    #expect(
      without.text.contains(
        "BROKEN  answers hello with welcome of version 1: it asks for password for fake, and there "
          + "is none; write a line HOST USER PASSWORD into the passwords file"), "\(without)")
    world.folder.write("config/banter/passwords", "here me sesame\n", mode: 0o600)
    let with = await world.run(check, seconds: 90)
    #expect(with.text.contains("ok      answers hello with welcome of version 1"), "\(with)")
    #expect(!with.text.contains("it asks for"), "\(with)")
  }

  @Test(arguments: [("shy", "no answer came in time"), ("good", "it said welcome")])
  func `whether it knows a version is not told by silence`(_ name: String, _ what: String)
    async throws
  {
    let checked = await world(misbehaving: name).run("$banter plugins check fake", seconds: 60)
    #expect(
      checked.text.contains(
        "BROKEN  answers a host whose versions it does not know with an error of class "
          + "unsupported: \(what)"), "\(checked)")
  }

  @Test func `banter-irc keeps what it promises, at a real server`() async throws {
    let server = try await RealServer.ngircd()
    let checked = await World().run(
      "$banter plugins check irc 'irc://minsu@127.0.0.1:\(server.port)/%23check'", seconds: 120)
    #expect(checked.status == 0 && checked.lines.count >= 15, "\(checked)")
    #expect(!checked.text.contains("BROKEN"))
  }

  @Test func `banter-nats keeps what it promises, in a real cluster`() async throws {
    let cluster = try await NATSCluster()
    let made = await cluster.prepare()
    try #require(made.status == 0, "\(made.errorText)")
    let checked = await World().run(
      "$banter plugins check nats '\(cluster.address(of: "check"))'", seconds: 120)
    #expect(checked.status == 0 && checked.lines.count >= 15, "\(checked)")
    #expect(!checked.text.contains("BROKEN"))
  }

  @Test func `the example answers every request once, and lives on after what is none`()
    async throws
  {
    let world = World()
    let room = "\(world.folder.path.dropFirst())/lunch"
    let requests = [
      #"{"type":"hello","versions":[1],"profile":{"profileID":"me","profileName":"Me"}}"#,
      "[1]", "null", "5", "no protocol", #"{"type":"hel"#, #"{"a":NaN}"#, "[[[[", "\u{fffd}",
      #"{"type":5,"ref":"r1"}"#, #"{"type":"join","ref":"r2","room":"a/../../x"}"#,
      #"{"type":"join","ref":"r3","room":5}"#, #"{"type":"join","ref":"r4"}"#,
      #"{"type":"join","ref":"r5","room":"\#(room)","after":"junk","tail":2}"#,
      #"{"type":"join","ref":"r6","room":"\#(room)","tail":-1}"#,
      #"{"type":"history","ref":"r7","room":"\#(room)","limit":"x"}"#,
      #"{"type":"history","ref":"r8","room":"\#(room)","before":"99"}"#,
      #"{"type":"history","ref":"r9","room":"\#(room)","before":[]}"#,
      #"{"type":"send","ref":"r10","room":"\#(room)","event":[]}"#,
      #"{"type":"send","ref":"r11","room":"\#(room)","event":{"content":"no id"}}"#,
      #"{"type":"send","ref":"r12","room":"\#(room)","event":{"messageID":"a","content":"\ud800"}}"#,
      #"{"type":"send","ref":"r13","room":"\#(room)","event":{"messageID":"a","content":"x"}}"#,
      #"{"type":"command","ref":"r14"}"#, #"{"type":"command","ref":"r15","name":"shout"}"#,
      #"{"type":"members","ref":"r16"}"#, #"{"type":"rooms","ref":"r17","after":"x"}"#,
      #"{"type":"profile","ref":"r18"}"#, #"{"type":"leave","ref":"r19","room":"nowhere"}"#,
      #"{"type":"put","ref":"r20"}"#, #"{"type":"ping","ref":"r21"}"#,
      #"{"type":"history","ref":"r22","room":"\#(room)","before":"0"}"#, #"{"type":"bye"}"#,
    ]
    world.folder.write("requests", requests.joined(separator: "\n") + "\n")
    let said = await world.run("python3 '\(Self.sources)/plugins/example/banter-board' < requests")
    #expect(said.status == 0 && said.errorText.isEmpty, "\(said)")
    for number in 1...22 {
      #expect(said.lines.count { $0.contains(#""ref": "r\#(number)""#) } == 1, "r\(number)")
    }
    #expect(said.lines.last == #"{"type": "bye"}"#)
  }
}
