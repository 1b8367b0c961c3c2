import ChatModel
import TestSupport
import Testing
import Transport
import TransportSecurity

@testable import NATS

extension Clusters {
  /// `banter-nats` with three real servers.
  @Suite(.timeLimit(.minutes(5)))
  struct ClusterTests {
    @Test func `setting up is safe to repeat`() async throws {
      let cluster = try await NATSCluster.prepared()
      let again = await cluster.prepare()
      #expect(again.status == 0 && again.text.contains("BANTER: was there"), "\(again)")
      #expect(again.text.contains(#""room.*""#))
    }

    @Test func `a cluster without rooms says what to do`() async throws {
      let cluster = try await NATSCluster(size: 1)
      let plugin = try PluginProcess("banter-nats")
      plugin.hello(cluster.address(of: "tea"))
      _ = try await plugin.waitForWelcome()
      plugin.say(.join(ref: "j", JoinRequest(room: "tea")))
      let error = try await plugin.wait("error") { $0.firstError("j") }
      #expect(
        error.errorClass == .notFound && error.message.contains("banter-nats init"), "\(error)")
    }

    @Test func `what one says the others hear, once and in order`() async throws {
      let cluster = try await NATSCluster.prepared()
      let jane = try await cluster.member("jane")
      let minsu = try await cluster.member("minsu")
      for number in 1...50 { jane.say("jane \(number)", id: "j\(number)", in: "tea") }
      for number in 1...50 { minsu.say("minsu \(number)", id: "m\(number)", in: "tea") }
      for plugin in [jane, minsu] {
        let heard = try await plugin.wait("all") { $0.contents(count: 100) }
        #expect(heard.filter { $0.hasPrefix("jane") } == (1...50).map { "jane \($0)" })
        #expect(heard.filter { $0.hasPrefix("minsu") } == (1...50).map { "minsu \($0)" })
      }
      #expect(jane.answers.contents == minsu.answers.contents)
    }

    @Test func `the past is there page by page, both ways, among other rooms`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let other = try await cluster.member("jane", in: "coffee")
      for number in 1...60 {
        jane.say("\(number)", id: "t\(number)", in: "tea")
        for part in 1...3 { other.say("x", id: "c\(number).\(part)", in: "coffee") }
      }
      _ = try await jane.wait("all") { $0.contents(count: 60) }
      _ = try await other.wait("all") { $0.contents(count: 180) }

      let late = try await cluster.member("late", tail: 7)
      #expect(late.answers.contents == (54...60).map(String.init))
      var page = try await late.page(HistoryRequest(room: "tea", before: nil, limit: 25))
      #expect(page.events.contents == (36...60).map(String.init) && page.more)
      page = try await late.page(HistoryRequest(room: "tea", before: page.next, limit: 35))
      #expect(page.events.contents == (1...35).map(String.init) && !page.more)
      let tenth = page.events[9].cursor
      page = try await late.page(HistoryRequest(room: "tea", after: tenth, limit: 5))
      #expect(page.events.contents == (11...15).map(String.init) && page.more)

      let back = try await cluster.member("back", after: page.next, tail: 2)
      #expect(back.answers.contents == (16...60).map(String.init))
    }

    @Test func `a repeat is one message, however late it comes`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let start = try await jane.wait("live") { $0.liveCursor }
      jane.say("once", id: "1", in: "tea")
      _ = try await jane.wait("ack") { $0.acknowledgement("1") }
      // Within the stream's window, and as the host repeats what is older.
      for since in [nil, start] {
        let message = Message(id: "1", profileID: "jane", content: "once")
        jane.say(
          .send(ref: "again", SendRequest(room: "tea", event: .message(message), since: since)))
        let repeated = try await jane.wait("ack") { $0.acknowledgement("again") }
        #expect(repeated.isDuplicate)
      }
      let late = try await cluster.member("late", tail: 10)
      #expect(late.answers.contents == ["once"])
    }

    @Test func `rubbish on the subject is told, and what is right comes through`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let publish = """
        exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
        printf 'CONNECT {"verbose":false}\\r\\n' >&3
        printf 'PUB room.tea 5\\r\\n{\\n"x"\\r\\n' >&3
        printf 'PUB live.room.tea 2\\r\\n{}\\r\\nPING\\r\\n' >&3
        while read -r line <&3; do case $line in PONG*) exit 0;; esac; done
        """
      #expect(await Program.run(publish).status == 0)
      jane.say("right", id: "1", in: "tea")
      #expect(try await jane.wait("right") { $0.contents(count: 1) } == ["right"])
      let warning = try await jane.wait("warning") { answers in
        answers.compactMap { if case .log("warning", let text) = $0 { text } else { nil } }.first
      }
      #expect(warning.contains("tea: message 1 is no event"))
    }

    @Test(arguments: [UInt64.max, 1 << 40])
    func `a notice that somebody has made up hides nothing for long`(_ sequence: UInt64)
      async throws
    {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let headers =
        "NATS/1.0\\r\\nNats-Sequence: \(sequence)\\r\\nNats-Last-Sequence: 0\\r\\n\\r\\n"
      let publish = """
        exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
        headers=$(printf '\(headers)x'); headers=${headers%x}
        printf 'CONNECT {"verbose":false,"headers":true}\\r\\nHPUB live.room.tea %d %d\\r\\n%s{}\\r\\nPING\\r\\n' \\
          ${#headers} $((${#headers} + 2)) "$headers" >&3
        while read -r line <&3; do case $line in PONG*) exit 0;; -ERR*) exit 1;; esac; done
        """
      #expect(await Program.run(publish).status == 0)
      for number in 1...3 { jane.say("\(number)", id: "\(number)", in: "tea") }
      #expect(try await jane.wait("all") { $0.contents(count: 3) } == ["1", "2", "3"])
      jane.say(
        .history(
          ref: "h", HistoryRequest(room: "tea", after: Cursor(value: "1.\(sequence)"), limit: 5)))
      #expect(try await jane.wait("error") { $0.firstError("h") }.errorClass == .gone)
    }

    @Test(arguments: [0, 50])
    func `a stream that is made anew is noticed, however much is in it`(_ more: Int) async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane", tail: 10)
      for number in 1...5 { jane.say("old \(number)", id: "o\(number)", in: "tea") }
      _ = try await jane.wait("all") { $0.contents(count: 5) }
      let delete = """
        exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
        printf 'CONNECT {"verbose":false}\\r\\nSUB x 1\\r\\nPUB $JS.API.STREAM.DELETE.BANTER x 0\\r\\n\\r\\n' >&3
        while read -r line <&3; do case $line in *success*) exit 0;; esac; done
        """
      #expect(await Program.run(delete).status == 0)
      #expect(await cluster.prepare("--replicas 1").status == 0)
      let other = try await cluster.member("jane", in: "coffee")
      for number in 0..<more {
        other.say("x", id: "c\(number)", in: "coffee")
        try await other.wait("ack") { $0.acknowledgement("c\(number)") }
      }
      jane.say("new", id: "n", in: "tea")
      _ = try await jane.wait("reset") { answers in
        answers.first { if case .reset = $0 { true } else { false } }
      }
      #expect(try await jane.wait("new") { $0.contents(count: 6) }.last == "new")
    }

    @Test func `who is there is known, and who they are`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let minsu = try await cluster.member("minsu")
      _ = try await jane.wait("presence") { $0.presence("minsu") == true ? true : nil }
      jane.say(.members(ref: "m", room: "tea"))
      let members = try await jane.wait("members") { answers in
        answers.compactMap { if case .members("m", let items, _) = $0 { items } else { nil } }.first
      }
      #expect(members.map(\.id) == ["jane", "minsu"])
      minsu.say(.bye)
      _ = try await jane.wait("leave") { $0.presence("minsu") == false ? true : nil }
      let change = ProfileChange(eventID: "p", profileID: "jane", profileName: "Jane Doe")
      jane.say(.send(ref: "p", SendRequest(room: "tea", event: .profile(change))))
      _ = try await jane.wait("ack") { $0.acknowledgement("p") }
      let other = try await cluster.member("other")
      other.say(.profile(ref: "who", profileID: "jane"))
      let profile = try await other.wait("profile") { answers in
        answers.compactMap { if case .profile("who", let profile) = $0 { profile } else { nil } }
          .first
      }
      #expect(profile.name == "Jane Doe")
    }

    @Test func `what is larger than the servers take is refused, to the byte`() async throws {
      let cluster = try await NATSCluster(size: 1, extra: "max_payload: 8192")
      try #require(await cluster.prepare("--replicas 1").status == 0)
      let jane = try await cluster.member("jane")
      func answer(to content: String, _ ref: String) async throws -> ProtocolError? {
        jane.say(content, id: ref, in: "tea")
        let answer = try await jane.wait("answer") { answers -> Result<Void, ProtocolError>? in
          if let error = answers.firstError(ref) { return .failure(error) }
          return answers.acknowledgement(ref).map { _ in .success(()) }
        }
        if case .failure(let error) = answer { return error }
        return nil
      }
      // Quotes take two bytes each in JSON.
      let quotes = try await answer(to: String(repeating: "\"", count: 4_096), "q")
      #expect(quotes?.errorClass == .tooLarge)
      let reason = try #require(quotes?.message.split(separator: " ").compactMap { Int($0) })
      // As many bytes over the limit are taken away.
      let fitting = String(repeating: "x", count: 8_192 - (reason[0] - reason[1]))
      #expect(try await answer(to: fitting + "x", "l")?.errorClass == .tooLarge)
      #expect(try await answer(to: fitting, "f") == nil)
    }
  }
}
