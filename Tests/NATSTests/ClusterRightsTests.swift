import ChatModel
import TestSupport
import Testing
import Transport

@testable import NATS

/// `banter-nats` where not everybody may do everything.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct ClusterRightsTests {
  /// Accounts: one for everything, one for the room tea, one that may only
  /// read there.
  private static let accounts = """
    authorization { users: [
      { user: root, password: secret }
      { user: jane, password: secret, \(ClusterSetup.rights(forRoom: "tea")) }
      { user: reader, password: secret, permissions {
        publish { allow: ["here.room.tea", "$JS.API.STREAM.INFO.BANTER",
          "$JS.API.DIRECT.GET.BANTER.room.tea", "$JS.API.CONSUMER.CREATE.BANTER.*.room.tea",
          "$JS.API.CONSUMER.MSG.NEXT.BANTER.*"] }
        subscribe { allow: ["live.room.tea", "here.room.tea", "_INBOX.>"] } } }
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

  @Test func `a wrong password ends it with a reason`() async throws {
    let cluster = try await guarded()
    let plugin = try await login("jane", cluster, in: "tea", password: "wrong")
    let state = try await plugin.wait("state") { answers in
      answers.compactMap { answer -> TransportError? in
        if case .state(.fatal(let reason)) = answer { reason } else { nil }
      }.first
    }
    #expect(state.reason.lowercased().contains("auth"), "\(state)")
  }
}
