import ChatModel
import Testing
import Transport

/// Who comes and goes.
@Suite(.timeLimit(.minutes(5))) struct PresenceTests {
  /// The next presence that is told.
  private func presence(_ caller: Caller) async throws -> (id: String, isPresent: Bool) {
    try await caller.first { answer in
      guard case .event(_, let event) = answer, case .presence(let presence) = event.event else {
        return nil
      }
      return (presence.profileID, presence.isPresent)
    }
  }

  @Test func `who comes and goes is told to those who are there, and not to the file`()
    async throws
  {
    let hosting = try await Hosting()
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    #expect(try await presence(jane) == ("jane", true))
    let minsu = try await hosting.guest("minsu")
    #expect(try await presence(jane) == ("minsu", true))
    try await minsu.say(.bye)
    #expect(try await presence(jane) == ("minsu", false))
    #expect(hosting.contents() == ["old"] && hosting.lines().count == 1)
  }

  @Test func `one is there until his last connection goes`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    #expect(try await presence(jane) == ("jane", true))
    let first = try await hosting.guest("minsu")
    #expect(try await presence(jane) == ("minsu", true))
    let second = try await hosting.guest("minsu")
    try await second.join()
    try await first.say(.bye)
    _ = try await first.rest()
    try await second.send("still here")
    _ = try await jane.first(
      others: { answer in
        if case .event(_, let event) = answer, case .presence = event.event {
          Issue.record("told \(event.event) although one connection is left")
        }
      },
      { if case .event(_, let event) = $0, event.event.id == "still here" { true } else { nil } })
    try await second.say(.leave(ref: "l", room: "lobby"))
    #expect(try await presence(jane) == ("minsu", false))
    try await second.join()
    #expect(try await presence(jane) == ("minsu", true))
    #expect(try await presence(second) == ("minsu", true))
  }

  @Test func `a presence has the room's place, from which one can go on`() async throws {
    let hosting = try await Hosting()
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    try await jane.send("said")
    let place = try await jane.answer(to: "said").get().cursor
    let minsu = try await hosting.guest("minsu")
    let event = try await jane.first { answer -> RoomEvent? in
      guard case .event(_, let event) = answer, case .presence(let presence) = event.event,
        presence.profileID == "minsu"
      else { return nil }
      return event
    }
    #expect(event.cursor == place)
    try await minsu.send("next")
    _ = try await minsu.answer(to: "next").get()
    #expect(try await jane.join(after: event.cursor).contents == ["next"])
  }

  @Test func `in a large room nobody is told, until it is small again`() async throws {
    let hosting = try await Hosting { $0.limits.announcedMembers = 3 }
    let jane = try await hosting.guest("jane")
    #expect(try await presence(jane) == ("jane", true))
    var others: [Caller] = []
    for number in 1...4 { others.append(try await hosting.guest("\(number)")) }
    for number in 1...2 { #expect(try await presence(jane) == ("\(number)", true)) }
    // The third and fourth were too many; now two of those who were told go.
    try await others[0].say(.bye)
    _ = try await others[0].rest()
    try await jane.send("x")
    _ = try await jane.answer(to: "x").get()
    try await others[1].say(.bye)
    var told: [String: Bool] = [:]
    for _ in 0..<4 {
      let (id, isPresent) = try await presence(jane)
      told[id] = isPresent
    }
    #expect(told == ["1": false, "2": false, "3": true, "4": true])
  }
}
