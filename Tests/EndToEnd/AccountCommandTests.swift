import Testing

extension Promises {
  /// What `banter user` does to the accounts, and says of it.
  @Suite struct AccountCommands {
    private let world = World()

    private func add(_ options: String) async -> Outcome {
      await world.run("echo geheim | $banter user add jane data/banter/rooms \(options)")
    }

    private func listed() async -> [String] {
      await world.run("$banter user list data/banter/rooms").lines
    }

    @Test func `a new password widens no rights, and what widens them is an option`() async {
      #expect(await add("--room team,lobby --read-only").status == 0)
      #expect(await listed() == ["jane  lobby, team  reads"])
      let again = await add("")
      #expect(await listed() == ["jane  lobby, team  reads"])
      #expect(again.errorText.contains("changed the password of jane, lobby, team, reads"))
      #expect(again.errorText.contains("kill -HUP"))
      _ = await add("--read-write")
      #expect(await listed() == ["jane  lobby, team"])
      _ = await add("--all-rooms --read-only")
      #expect(await listed() == ["jane  all rooms  reads"])
      #expect(await add("--room a --all-rooms").status == 64)
      #expect(await add("--read-write --read-only").status == 64)
    }

    @Test func `who is not there cannot be removed, and who is removed is told`() async {
      let missing = await world.run("$banter user remove jane data/banter/rooms")
      #expect(missing.status == 66 && missing.errorText.contains("no account jane"))
      _ = await add("")
      let removed = await world.run("$banter user remove jane data/banter/rooms")
      #expect(removed.status == 0 && removed.errorText.contains(".accounts: removed jane; a hub"))
      #expect(await listed().isEmpty)
    }
  }
}
