import ChatModel
import TestSupport
import Testing
import Transport
import TransportSecurity

@testable import NATS

extension Clusters {
  /// Images and files in a cluster.
  @Suite(.timeLimit(.minutes(5)))
  struct ClusterFileTests {
    @Test func `a file goes in parts, once, and comes back from anywhere in it`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      let name = try await jane.put(bytes, "photo.PNG")
      #expect(name.hasSuffix(".png") && name.utf8.count == 68)
      // What is there is not brought again.
      #expect(try await jane.put(bytes, "photo.PNG", ref: "again") == name)
      #expect(!jane.answers.contains { if case .ready("again", _) = $0 { true } else { false } })
      let minsu = try await cluster.member("minsu")
      #expect(try await minsu.get(name) == bytes)
      #expect(try await minsu.get(name, from: 123_456) == Array(bytes[123_456...]))
      minsu.say(.get(ref: "none", room: "tea", path: "no.png", offset: 0))
      #expect(try await minsu.wait("error") { $0.firstError("none") }.errorClass == .notFound)
    }

    @Test func `what breaks off in the middle of a file goes on there`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
      let first = try await cluster.member("jane")
      _ = try await first.put(bytes, "a.bin", stoppingAfter: 2)
      first.kill()
      let second = try await cluster.member("jane")
      let name = try await second.put(bytes, "a.bin")
      let offset = second.answers.lazy.compactMap { answer -> Int64? in
        if case .ready(_, let offset) = answer { offset } else { nil }
      }.first
      #expect(offset == 131_072)
      #expect(try await second.get(name) == bytes)
    }

    @Test func `what is not what was announced never becomes a file`() async throws {
      let cluster = try await NATSCluster.prepared(size: 1)
      let jane = try await cluster.member("jane")
      let digest = String(repeating: "ab", count: 32)
      jane.say(
        .put(
          ref: "p",
          PutRequest(
            room: "tea", name: "x.png", mediaType: nil, sizeInBytes: 3, sha256: digest)))
      _ = try await jane.wait("ready") { answers in
        answers.first { if case .ready("p", _) = $0 { true } else { false } }
      }
      jane.say(.chunk(ref: "p", data: Base64.encode([1, 2, 3]), isLast: true))
      #expect(try await jane.wait("error") { $0.firstError("p") }.errorClass == .invalid)
      jane.say(.get(ref: "g", room: "tea", path: "\(digest).png", offset: 0))
      #expect(try await jane.wait("error") { $0.firstError("g") }.errorClass == .notFound)
    }
  }
}
