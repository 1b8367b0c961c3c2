import Testing

extension NATSCluster {
  /// Servers that have what rooms need.
  static func prepared(size: Int = 3, extra: String = "") async throws -> NATSCluster {
    let cluster = try await NATSCluster(size: size, extra: extra)
    let made = await cluster.prepare("--replicas \(size)")
    try #require(made.status == 0, "\(made.errorText)")
    return cluster
  }

  /// Somebody at a prompt in `tea`.
  func prompt(_ name: String, in world: World = World()) async throws -> Terminal {
    let terminal = try Terminal(
      world, "--as \(name) --profile-id \(name) --style compact '\(address(of: "tea"))'",
      columns: 100)
    try await terminal.expect(last: "tea> ▮")
    return terminal
  }
}

extension Terminal {
  /// The same where an election of the cluster's may lie between, which takes
  /// some seconds.
  func expectSoon(
    _ part: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(within: .seconds(30), sourceLocation: sourceLocation) {
      $0.contains { $0.contains(part) }
    }
  }
}
