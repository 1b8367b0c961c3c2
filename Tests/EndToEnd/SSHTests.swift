import Glibc
import Testing

extension Promises {
  /// Rooms on another machine.
  @Suite struct SSH {
    @Test func `two prompts talk, one over ssh and one at the file`() async throws {
      let server = try await SSHServer()
      server.world.say("before", by: "Ann")
      let remote = try Terminal(server.world, server.room, columns: 60)
      let local = try Terminal(server.world, "--as Jane", columns: 60)
      try await remote.expect("before")
      try await local.expect(last: "lobby> ▮")
      remote.enter("멀리서 it's $(me)")
      try await local.expect("멀리서 it's $(me)")
      local.enter("from near")
      try await remote.expect("from near")
      #expect(server.world.contents() == ["before", "멀리서 it's $(me)", "from near"])
      remote.enter("/quit")
      try await remote.expectEnd(status: 0)
      #expect(await server.clients.isEmpty)
    }

    @Test func `a broken way is made again, and nothing is lost or doubled`() async throws {
      let server = try await SSHServer()
      let remote = try Terminal(server.world, server.room, columns: 60)
      let local = try Terminal(server.world, "--as Jane", columns: 60)
      for terminal in [remote, local] { try await terminal.expect(last: "lobby> ▮") }
      remote.enter("one")
      try await local.expect("one")
      for round in 1...2 {
        let clients = await server.clients
        #expect(clients.count == 1)
        for client in clients { kill(client, SIGKILL) }
        try await remote.expect { $0.last?.contains("offline") == true }
        remote.enter("while away \(round)")
        local.enter("from near \(round)")
        try await local.expect("while away \(round)")
        try await remote.expect("from near \(round)")
        try await remote.expect(last: "lobby> ▮")
      }
      #expect(
        Set(server.world.contents()) == [
          "one", "while away 1", "from near 1", "while away 2", "from near 2",
        ])
      #expect(server.world.contents().count == 5)
      let text = remote.scrollback.joined(separator: "\n")
      for content in server.world.contents() {
        #expect(text.ranges(of: content).count == 1, "\(text)")
      }
      #expect(text.contains("ssh was ended by signal 9"))
    }

    @Test func `a host key is asked about at the prompt, and a half-typed line waits`() async throws
    {
      let server = try await SSHServer(knowsHost: false, waits: true)
      let terminal = try Terminal(server.world, server.room, columns: 70)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: "안녕하세")
      terminal.type("Left", "Left")
      try await terminal.expect(last: "lobby> 안녕▮하세")
      server.world.folder.write("go", "")
      // Nobody's keys are taken for an answer.
      try await terminal.expect("you are asked when you stop typing")
      terminal.type("x")
      try await terminal.expect(last: "lobby> 안녕x▮하세")
      terminal.type("BSpace")
      try await terminal.expect(last: "answer> ▮")
      try await terminal.expect("SHA256:")
      // Something else than yes is asked about again, by ssh.
      terminal.enter("네")
      try await terminal.expect("'yes', 'no'")
      try await terminal.expect(last: "answer> ▮")
      terminal.enter("yes")
      try await terminal.expect(last: "lobby> 안녕▮하세")
      terminal.type("End")
      terminal.enter("요")
      try await terminal.expect { $0.joined().contains("안녕하세요") && $0.last == "lobby> ▮" }
      #expect(await eventually { server.world.contents() == ["안녕하세요"] })
      #expect(server.world.folder.read("known") != nil)
      #expect(!String(decoding: history(of: server), as: UTF8.self).contains("yes"))
    }

    @Test func `a passphrase is asked for and never shown`() async throws {
      let server = try await SSHServer(passphrase: "열려라 참깨7")
      let terminal = try Terminal(server.world, server.room, columns: 70)
      try await terminal.expect(last: "answer (not shown)> ▮")
      try await terminal.expect("Enter passphrase for key")
      terminal.enter("wrong")
      try await terminal.expect { screen in
        screen.count { $0.contains("Enter passphrase for key") } == 2
          && screen.last == "answer (not shown)> ▮"
      }
      terminal.enter("열려라 참깨7")
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("inside")
      #expect(await eventually { server.world.contents() == ["inside"] })
      #expect(!String(decoding: terminal.bytes, as: UTF8.self).contains("참깨"))
      terminal.enter("/quit")
      try await terminal.expectEnd(status: 0)
      for bytes in [history(of: server), server.world.folder.read("state/banter/log.db") ?? []] {
        #expect(!String(decoding: bytes, as: UTF8.self).contains("참깨"))
      }
      #expect(await Program.run("ls '\(server.world.folder.path)/banter'").text == "")
    }

    private func history(of server: SSHServer) -> [UInt8] {
      server.world.folder.read("state/banter/history") ?? []
    }

    @Test func `without an answer ssh is ended, and not started again`() async throws {
      let server = try await SSHServer(passphrase: "secret")
      let terminal = try Terminal(server.world, server.room, columns: 100)
      try await terminal.expect(last: "answer (not shown)> ▮")
      terminal.type("C-c")
      try await terminal.expect("ssh was given no answer")
      try await terminal.expect(last: "lobby [offline]> ▮")
      #expect(await eventually { await server.clients.isEmpty })
      terminal.enter("/quit")
      try await terminal.expectEnd(status: 0)
    }

    @Test func `leaving while something is asked leaves nothing behind`() async throws {
      let server = try await SSHServer(passphrase: "secret")
      let terminal = try Terminal(server.world, server.room, columns: 70)
      try await terminal.expect(last: "answer (not shown)> ▮")
      kill(terminal.process, SIGTERM)
      try await terminal.expectEnd(status: 128 + Int(SIGTERM))
      #expect(await server.clients.isEmpty)
    }

    @Test(arguments: [false, true])
    func `when Banter is killed ssh ends`(isAsking: Bool) async throws {
      let server = try await SSHServer(passphrase: isAsking ? "secret" : "")
      let terminal = try Terminal(server.world, server.room, columns: 70)
      if isAsking {
        try await terminal.expect(last: "answer (not shown)> ▮")
      } else {
        terminal.enter("inside")
        #expect(await eventually { server.world.contents() == ["inside"] })
      }
      #expect(await server.clients.count == 1)
      kill(terminal.process, SIGKILL)
      #expect(await eventually { await server.clients.isEmpty })
    }

    @Test func `scripts send and read, and are asked nothing`() async throws {
      let server = try await SSHServer()
      server.world.folder.write("banner", "Welcome!\n{\"no\": \"type\"}\n\u{1B}[2J\n")
      let sent = await server.world.run("$banter send \(server.room) 'it'\"'\"'s here'")
      #expect(sent.status == 0, "\(sent.errorText)")
      #expect(server.world.contents() == ["it's here"])
      let read = await server.world.run("$banter tail --json \(server.room)")
      #expect(read.text.contains("it's here"))
      #expect(read.status == 0)
      #expect(await server.clients.isEmpty)
    }

    @Test func `scripts are refused where somebody would have to be asked`() async throws {
      let server = try await SSHServer(passphrase: "secret", knowsHost: false)
      let unknown = await server.world.run("$banter send --no-queue \(server.room) hi")
      #expect(unknown.status == 77)
      #expect(unknown.errorText.contains("host key is not known; open the room at the prompt"))
      #expect(unknown.errorText.split(separator: "\n").count == 1)
    }
  }
}
