import Glibc
import Testing

/// A room with a long past is brought to a cluster: 30,000 messages in every run,
/// a million in `make soak`.
@Suite(.timeLimit(.minutes(90)))
struct NATSSoak {
  private static let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let count = isSoak ? 1_000_000 : 30_000
  private static let seconds = isSoak ? 2_400 : 120

  @Test func `a long past comes whole, in its order, though the copy was killed`() async throws {
    let cluster = try await NATSCluster()
    try #require(await cluster.prepare().status == 0)
    let world = World()
    let address = cluster.address(of: "old")
    let made = await world.run("/\(Self.root)/Tests/Benchmarks/make-room \(Self.count) old.jsonl")
    try #require(made.status == 0, "\(made.errorText)")
    // As soon as something has come.
    let killed = await world.run(
      """
      $banter log copy ./old.jsonl '\(address)' & copy=$!
      until [ -n "$($banter tail '\(address)' -n 1 --json)" ]; do :; done
      kill -KILL $copy
      wait $copy
      """, seconds: Self.seconds)
    #expect(killed.status == 137, "\(killed)")
    let rest = await world.run(
      "time -p $banter log copy ./old.jsonl '\(address)'", seconds: Self.seconds)
    #expect(rest.status == 0, "\(rest)")
    let copied = rest.text.split(separator: " ").first.flatMap { Int($0) } ?? 0
    #expect((1..<Self.count).contains(copied), "\(rest.text)")
    let read = await world.run(
      """
      time -p $banter tail '\(address)' -n 100000000 --json >there
      $banter tail ./old.jsonl -n 100000000 --json | cmp - there && wc -l <there
      """, seconds: Self.seconds)
    #expect(read.status == 0 && read.text == "\(Self.count)\n", "\(read)")
    let size = await world.run("du -sk '\(cluster.folder.path)'/store? | cut -f 1")
    print(
      "\(copied) copied (\(rest.errorText.prefix { $0 != "\n" })), all read "
        + "(\(read.errorText.prefix { $0 != "\n" })), KiB on the disks: \(size.lines)")
  }
}
