import ChatModel
import TestSupport
import Testing
import Transport

@testable import NATS

extension Clusters {
  /// `banter-nats` where not everybody may do everything.
  @Suite(.timeLimit(.minutes(5)))
  struct ClusterRightsTests {
    /// Accounts: one for everything, one for the room tea, one that may only
    /// read there, one that may only write.
    private static let accounts = """
      authorization { users: [
        { user: root, password: secret }
        { user: jane, password: secret, \(ClusterSetup.rights(forRoom: "tea", user: "jane")) }
        { user: reader, password: secret, permissions {
          publish { allow: ["here.room.tea", "$JS.API.STREAM.INFO.BANTER",
            "$JS.API.DIRECT.GET.BANTER.room.tea", "$JS.API.CONSUMER.CREATE.BANTER.*.room.tea",
            "$JS.API.CONSUMER.MSG.NEXT.BANTER.*"] }
          subscribe { allow: ["live.room.tea", "here.room.tea", "_INBOX.reader.>"] } } }
        { user: writer, password: secret, permissions {
          publish { allow: ["room.tea"] }, subscribe { allow: ["_INBOX.writer.>"] } } }
      ] }
      """

    private func login(
      _ user: String, _ cluster: NATSCluster, in room: String, password: String = "secret"
    ) async throws -> PluginProcess {
      let plugin = try PluginProcess("banter-nats")
      plugin.say(
        .hello(
          Hello(
            client: "test", address: cluster.address(of: room, user: user),
            profile: Profile(id: "whoever", name: ""))))
      let need = try await plugin.wait("need") { answers in
        answers.compactMap { if case .need(let ref, "password", true, _) = $0 { ref } else { nil } }
          .first
      }
      plugin.say(.given(ref: need, value: password))
      plugin.say(.join(ref: "join", JoinRequest(room: room, tail: 10)))
      return plugin
    }

    private func guarded() async throws -> NATSCluster {
      let cluster = try await NATSCluster(size: 1, extra: Self.accounts)
      let made = await cluster.prepare("--replicas 1", user: "root", password: "secret")
      try #require(made.status == 0, "\(made.errorText)")
      return cluster
    }

    @Test func `the rights that are printed are enough, and no more`() async throws {
      let cluster = try await guarded()
      let jane = try await login("jane", cluster, in: "tea")
      _ = try await jane.wait("live") { $0.liveCursor }
      jane.say("hello", id: "1", in: "tea")
      #expect(try await jane.wait("told") { $0.contents(count: 1) } == ["hello"])
      _ = try await jane.put([1, 2, 3], "a.bin")
      let other = try await login("jane", cluster, in: "coffee")
      let error = try await other.wait("error") { $0.firstError("join") }
      #expect(error.errorClass == .denied, "\(error)")
    }

    @Test func `who may only read is told so when he says something`() async throws {
      let cluster = try await guarded()
      let reader = try await login("reader", cluster, in: "tea")
      _ = try await reader.wait("live") { $0.liveCursor }
      reader.say("hello", id: "1", in: "tea")
      let error = try await reader.wait("error") { $0.firstError("1") }
      #expect(error.errorClass == .denied && error.isCertain, "\(error)")
    }

    @Test func `who may not read is told so at once`() async throws {
      let cluster = try await guarded()
      let writer = try await login("writer", cluster, in: "tea")
      let error = try await writer.wait("error") { $0.firstError("join") }
      #expect(error.errorClass == .denied && error.message.contains("ermissions"), "\(error)")
    }

    /// Says lines of NATS's own protocol as jane, and returns what comes up to an
    /// answer to them.
    private func answer(_ lines: [String], at cluster: NATSCluster) async -> String {
      let script = """
        exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
        printf '%s\\r\\n' 'CONNECT {"verbose":false,"user":"jane","pass":"secret"}' \
          \(lines.map(quoted).joined(separator: " ")) PING >&3
        while read -r -t 5 line <&3; do
          echo "$line"
          case $line in MSG*) read -r line <&3; echo "$line"; exit 0;; -ERR*) exit 0;; esac
        done
        """
      return await Program.run(script).text
    }

    @Test(arguments: [
      "_INBOX.>", "_INBOX.root.>", "room.>", "room.coffee", "live.room.coffee", "live.>",
      "here.room.coffee", "$JS.>", ">",
    ])
    func `what others are told is not to be overheard`(_ subject: String) async throws {
      let cluster = try await guarded()
      let text = await answer(["SUB \(subject) 1"], at: cluster)
      #expect(text.contains("Permissions Violation for Subscription"), "\(text)")
    }

    @Test(arguments: [
      "room.coffee", "live.room.tea", "_INBOX.root.x", "file.coffee.x",
      "$JS.API.STREAM.DELETE.BANTER", "$JS.API.STREAM.PURGE.BANTER",
      "$JS.API.STREAM.MSG.GET.BANTER", "$JS.API.DIRECT.GET.BANTER",
      "$JS.API.DIRECT.GET.BANTER.room.coffee", "$JS.API.CONSUMER.CREATE.BANTER",
      "$JS.API.CONSUMER.CREATE.BANTER.x.room.coffee", "$JS.API.STREAM.UPDATE.BANTER",
    ])
    func `nothing else is to be said`(_ subject: String) async throws {
      let cluster = try await guarded()
      let text = await answer(["PUB \(subject) _INBOX.jane.x 2", "{}"], at: cluster)
      #expect(text.contains("Permissions Violation for Publish"), "\(text)")
    }

    @Test func `another room's history is not to be had under the name of one's own`()
      async throws
    {
      let cluster = try await guarded()
      let body = #"""
        {"stream_name":"BANTER","config":{"name":"x","ack_policy":"none",\#
        "deliver_policy":"all","filter_subject":"room.coffee","mem_storage":true}}
        """#
      let text = await answer(
        [
          "SUB _INBOX.jane.> 1",
          "PUB $JS.API.CONSUMER.CREATE.BANTER.x.room.tea _INBOX.jane.x \(body.utf8.count)", body,
        ], at: cluster)
      #expect(text.contains(#""error""#) && text.contains("filter"), "\(text)")
    }

    @Test(arguments: [("jane", "wrong"), ("nobody", "secret"), ("jane", "")])
    func `a wrong name or password ends it with a reason`(
      _ user: String, _ password: String
    ) async throws {
      let cluster = try await guarded()
      let plugin = try await login(user, cluster, in: "tea", password: password)
      let state = try await plugin.wait("state") { answers in
        answers.compactMap { answer -> TransportError? in
          if case .state(.fatal(let reason)) = answer { reason } else { nil }
        }.first
      }
      #expect(state.reason.lowercased().contains("auth"), "\(state)")
    }
  }
}
