import Glibc
import Testing

extension Promises.Plugins {
  @Test(arguments: ["renames", "renames-silently"])
  func `what a network keeps under ids of its own is there once, in the next run too`(
    _ name: String
  ) async throws {
    let world = world(misbehaving: name)
    let first = try Terminal(world, "--as me --profile-id me --style compact 'fake://host/team'")
    try await first.expect(last: "team> ▮")
    first.enter("one two")
    try await first.expect("me: one two")
    let id = String(decoding: world.folder.read("pids") ?? [], as: UTF8.self)
    kill(try #require(pid_t(id.split(separator: "\n").first ?? "")), SIGKILL)
    try await first.expect("connected again")
    first.enter("three")
    try await first.expect("me: three")
    #expect(!first.scrollback.contains { $0.contains("jane: ") }, "\(first.scrollback)")
    first.enter("/quit")
    try await first.expectEnd(status: 0)

    let second = try Terminal(world, "--as me --profile-id me --style compact 'fake://host/team'")
    try await second.expect("me: three")
    try await second.expect(last: "team> ▮")
    #expect(second.scrollback.count { $0.contains("me: one two") } == 1)
    #expect(!second.scrollback.contains { $0.contains("jane: ") }, "\(second.scrollback)")
    second.enter("/quit")
    try await second.expectEnd(status: 0)
    let logged = await world.ask("SELECT content FROM messages ORDER BY number")
    #expect(logged == ["one two", "three"])
  }

  @Test func `what may have been sent before a crash is not sent again unless the user says so`()
    async throws
  {
    let world = world(misbehaving: "mute")
    let sent = { String(decoding: world.folder.read("sent") ?? [], as: UTF8.self) }
    let first = try Terminal(world, "--as me --profile-id me --style compact 'fake://host/team'")
    try await first.expect(last: "team> ▮")
    first.enter("hello")
    #expect(await eventually { sent() == "hello\n" })
    kill(first.process, SIGKILL)

    let flushed = await world.run("$banter outbox flush")
    #expect(flushed.status == 75 && flushed.errorText.contains("may have arrived"), "\(flushed)")
    for _ in 0..<2 {
      let next = try Terminal(world, "--as me --profile-id me --style compact 'fake://host/team'")
      try await next.expect("perhaps sent: “hello”")
      try await next.expect(last: "team [1 failed]> ▮")
      #expect(sent() == "hello\n")
      kill(next.process, SIGKILL)
    }
    let last = try Terminal(world, "--as me --profile-id me --style compact 'fake://host/team'")
    try await last.expect(last: "team [1 failed]> ▮")
    last.enter("/retry")
    #expect(await eventually { sent() == "hello\nhello\n" })
    last.enter("/discard")
  }

  @Test func `what a flush may have sent is not sent again, where nobody knows the past`()
    async throws
  {
    let world = world(misbehaving: "exits")
    let kept = await world.run("$banter send fake://host/team hello")
    #expect(kept.status == 75, "\(kept)")
    world.folder.write("name", "mute-forgetful")
    let killed = await world.run(
      "$banter outbox flush & until [ -s sent ]; do sleep 0.05; done; kill -9 $!; wait; cat sent")
    #expect(killed.text == "hello\n", "\(killed)")
    let again = await world.run("$banter outbox flush; cat sent")
    #expect(again.text == "hello\n" && again.errorText.contains("may have arrived"), "\(again)")
  }

  @Test func `one that has given up is tried again by joining its room`() async throws {
    let world = world(misbehaving: "gives-up")
    let terminal = try Terminal(world, "--style compact 'fake://host/team'")
    try await terminal.expect("the password is wrong; /retry tries again")
    terminal.enter("/join team")
    try await terminal.expect("connected again")
    try await terminal.expect(last: "team> ▮")
  }
}
