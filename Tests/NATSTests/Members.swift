import ChatModel
import TestSupport
import Testing
import Transport

extension NATSCluster {
  /// Servers that have what rooms need.
  static func prepared(size: Int = 3) async throws -> NATSCluster {
    let cluster = try await NATSCluster(size: size)
    let made = await cluster.prepare("--replicas \(size)")
    try #require(made.status == 0, "\(made.errorText)")
    return cluster
  }

  /// Somebody in a room.
  func member(
    _ id: String, in room: String = "tea", after: Cursor? = nil, tail: Int? = nil
  ) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-nats")
    plugin.say(
      .hello(
        Hello(client: "test", address: address(of: room), profile: Profile(id: id, name: id))))
    _ = try await plugin.waitForWelcome()
    try await plugin.join(room, after: after, tail: tail)
    return plugin
  }
}
