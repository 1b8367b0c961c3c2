import Testing

extension Promises {
  /// `banter log copy`.
  @Suite struct Copy {
    private func fill(_ world: World, _ numbers: ClosedRange<Int>) {
      world.append(
        numbers.map { number in
          let author = number % 3 == 0 ? "jane" : "minsu"
          let message = world.line([
            "messageID": "m\(number)", "profileID": author, "profileName": author,
            "content": "메시지 \(number)", "createdAt": "2025-11-30T08:16:00.123Z",
          ])
          guard number % 10 == 0 else { return message }
          return message
            + world.line([
              "type": "reaction", "eventID": "r\(number)", "messageID": "m\(number)",
              "profileID": "jane", "reaction": "👍",
            ])
        }.joined())
    }

    private func all(_ world: World, _ room: String) async -> [String] {
      await world.run("$banter tail '\(room)' -n 100000 --json | jq -cS .").lines
    }

    @Test func `a copy that is killed again and again is whole in the end, once`() async throws {
      let world = World()
      fill(world, 1...20_000)
      var killed = 0
      for part in 1...6 {
        let copy = await world.run("timeout -s KILL 0.\(part) $banter log copy lobby ./copy.jsonl")
        if copy.status == 137 { killed += 1 }
      }
      #expect(killed > 0)
      let last = await world.run("$banter log copy lobby ./copy.jsonl")
      #expect(last.status == 0, "\(last)")
      #expect(await all(world, "./copy.jsonl") == all(world, "lobby"))
      let again = await world.run("$banter log copy lobby ./copy.jsonl")
      #expect(again.text.hasPrefix("0 events copied to ./copy.jsonl, 22000 were"), "\(again)")
      fill(world, 20_001...20_005)
      let more = await world.run("$banter log copy lobby ./copy.jsonl")
      #expect(more.text.hasPrefix("5 events copied"), "\(more)")
    }

    @Test func `a room is brought to a cluster with its authors and files`() async throws {
      let world = World()
      let cluster = try await NATSCluster(size: 1)
      try #require(await cluster.prepare("--replicas 1").status == 0)
      fill(world, 1...500)
      _ = await world.run("printf 'a text' >a.txt; $banter send lobby --attach a.txt with a file")
      let address = cluster.address(of: "lobby")
      let copy = await world.run("$banter log copy lobby '\(address)'")
      #expect(copy.status == 0 && copy.text.hasPrefix("551 events copied"), "\(copy)")
      #expect(await all(world, address) == all(world, "lobby"))
      // What others say there meanwhile is in nobody's way.
      _ = await world.run("seq 1200 | $banter send '\(address)'")
      fill(world, 501...510)
      let more = await world.run("$banter log copy lobby '\(address)'")
      #expect(more.text.hasPrefix("11 events copied"), "\(more)")
      let other = World()
      let reader = try Terminal(other, "'\(address)'")
      reader.enter("/search nothing")
      try await reader.expect("nothing")
      #expect(await other.run("$banter tail '\(address)' -n 100000 | grep -c 메시지").text == "510\n")
    }

    @Test func `sends nothing but what is in the room's folder, as it was said`() async throws {
      let world = World()
      _ = await world.run(
        """
        echo private >secret; mkdir -p data/banter/rooms/lobby.files
        ln -s ../../../../secret data/banter/rooms/lobby.files/link.txt
        echo other >data/banter/rooms/lobby.files/plain.txt
        echo right >data/banter/rooms/lobby.files/right.txt
        """)
      let right = "\(await world.run("sha256sum <secret | cut -c1-64").lines[0])"
      let own = "\(await world.run("echo right | sha256sum | cut -c1-64").lines[0])"
      for (name, sha256) in [("link.txt", ""), ("plain.txt", right), ("right.txt", own)] {
        let digest = sha256.isEmpty ? "" : #","sha256":"\#(sha256)""#
        world.append(
          #"{"messageID":"\#(name)","profileID":"jane","content":"look","#
            + #""files":[{"path":"\#(name)"\#(digest)}],"createdAt":"2025-11-30T08:16:00.123Z"}"#
            + "\n")
      }
      let copy = await world.run("$banter log copy lobby ./copy.jsonl")
      #expect(
        copy.status == 65 && copy.errorText.contains("2 files could not be copied"), "\(copy)")
      #expect(await world.run("cat copy.files/*").text == "right\n")
    }

    @Test(arguments: ["", "--open --listen tcp://127.0.0.1:0"])
    func `a hub, where all would be one's own, is sent nothing`(_ options: String) async throws {
      let world = World()
      fill(world, 1...3)
      let hub = try await HubProgram(world, options)
      let copy = await world.run("$banter log copy lobby '\(hub.room("other"))'")
      #expect(copy.status == 69 && copy.errorText.contains("your own"), "\(copy)")
      #expect(await all(world, hub.room("other")).isEmpty)
    }

    @Test(arguments: [
      ("lobby", 64), ("lobby ./x.jsonl y", 64), ("missing ./x.jsonl", 66),
      ("tcp://127.0.0.1:1/x ./x.jsonl", 69), ("lobby tcp://127.0.0.1:1/x", 69),
    ])
    func `what cannot be copied has its status`(_ words: String, _ status: Int32) async {
      let world = World()
      fill(world, 1...3)
      let copy = await world.run("$banter log copy \(words)")
      #expect(copy.status == status, "\(copy)")
    }
  }
}
