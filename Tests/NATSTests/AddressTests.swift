import Testing
import Transport

@testable import NATS

struct AddressTests {
  @Test(arguments: [
    ("nats://one/room", ["one:4222"], nil, "room"),
    ("nats://jane@one,two:5000,[::1]/a/b", ["one:4222", "two:5000", "[::1]:4222"], "jane", "a/b"),
    ("NATS://[::1]:77", ["[::1]:77"], nil, ""),
    ("nats://one/%EA%B0%80%20x", ["one:4222"], nil, "가 x"),
    ("nats://j@x@one/x", ["one:4222"], "j@x", "x"),
    ("nats://@one/", ["one:4222"], nil, ""),
  ])
  func `names servers, a user and a room`(
    _ text: String, _ servers: [String], _ user: String?, _ room: String
  ) throws {
    let address = try #require(ClusterAddress(text))
    #expect(address.servers == servers && address.user == user && address.room == room)
    #expect(!address.isSecure)
  }

  @Test func `over TLS it is another scheme`() {
    #expect(ClusterAddress("nats+tls://one/room")?.isSecure == true)
  }

  @Test(arguments: [
    "nats:/one", "nats://one/%zz", "http://one/", "nats://", "nats://,one", "nats://one,",
    "nats://one:0/x",
    "nats://one:65536", "nats://one:x", "nats://a:b:c", "nats://[::1", "nats://a b/x",
  ])
  func `what is none is refused`(_ text: String) { #expect(ClusterAddress(text) == nil) }
}

struct SubjectsTests {
  @Test(arguments: [
    ("lobby", "lobby"), ("a.b", "a=2Eb"), ("*", "=2A"), (">", "=3E"), ("a b\n", "a=20b=0A"),
    ("가나", "가나"), ("=41", "=3D41"), ("$JS", "=24JS"), ("a-b_C9", "a-b_C9"), ("\0", "=00"),
  ])
  func `a name is one token`(_ name: String, _ token: String) {
    #expect(Subjects.token(name) == token)
  }
}

struct PlaceTests {
  private func place(_ subject: String) -> LogPlace? {
    Array(subject.utf8).withUnsafeBufferPointer { LogPlace(acknowledgement: $0) }
  }

  @Test(
    arguments: [
      ("$JS.ACK.BANTER.reader.1.42.7.1700000000.0", "reader", 42),
      ("$JS.ACK._.hash.BANTER.reader.1.42.7.1700000000.0.x", "reader", 42),
    ] as [(String, String, UInt64)])
  func `is in the subject for the acknowledgement`(
    _ reply: String, _ consumer: String, _ sequence: UInt64
  ) throws {
    let found = try #require(place(reply))
    #expect(found.consumer == consumer && found.sequence == sequence)
  }

  @Test(arguments: [
    "", "_INBOX.a.b", "$JS.ACK.a.b.c", "$JS.ACK.BANTER.reader.1.x.7.1700000000.0",
    "$JS.ACK.BANTER.reader.1.-1.7.1700000000.0", "$JS.ACK.BANTER.reader.1..7.1700000000.0",
    "$JS.ACK.BANTER.reader.1.18446744073709551616.7.1.0", "$JS.ACK.", "$JS.ACK.......",
  ])
  func `is in no other subject`(_ reply: String) {
    #expect(place(reply) == nil)
  }
}
