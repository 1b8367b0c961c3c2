import FoundationEssentials
import Testing

@testable import ChatModel

/// The codec beside `JSONDecoder`: both take the same lines, and read the same
/// from them.
@Suite struct EventCodecOracleTests {
  /// The fields of a message as Codable sees them. Ids are texts here; numbers
  /// for ids have tests of their own.
  private struct Mirror: Decodable {
    var type: String?
    var messageID: String
    var profileID: String
    var profileName: String?
    var content: String?
    var images: [String]?
    var replyTo: String?
    var action: Bool?
  }

  private static let samples = [
    #"{"type":"message","messageID":"m","profileID":"p","content":"안녕 \"x\" \\ \/ \n 👍"}"#,
    #"{ "messageID" : "m" , "profileID":"p","content":"a","images":["x","y"],"action":true}"#,
    #"{"messageID":"m","profileID":"p","content":null,"images":["\u0041\ud83d\ude00"],"n":-1.5e+3}"#,
    #"{"messageID":"m","profileID":"p","content":"","replyTo":"r","deep":{"a":[1,[2,{"b":[]}]]}}"#,
    "{\"messageID\":\"m\",\"profileID\":\"p\",\"content\":\"t\",\"x\":0.0,\"y\":[true,false,null]}\r",
  ]

  private static let pieces = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "01", "-", "1.", ".5", "1e5", "1e", "true",
    "tru", "null", "\\u12", "\\x", "\\n", " ", "\t", "\n", "\"content\":\"z\"", "é", "\u{1}", "//",
  ]

  @Test func `agrees over thousands of mutated lines`() throws {
    var random = SplitMix(state: 20_261_130)
    for round in 0..<6_000 {
      var line = Array(try #require(Self.samples.randomElement(using: &random)).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) { Self.mutate(&line, &random) }
      // Bytes that are not UTF-8 are repaired here and refused there.
      guard let text = String(validating: line, as: UTF8.self) else { continue }
      compare(text, "round \(round): \(text.debugDescription)")
    }
  }

  private static func mutate(_ line: inout [UInt8], _ random: inout SplitMix) {
    guard !line.isEmpty else { return }
    let place = Int.random(in: 0..<line.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: line[place] = UInt8.random(in: 0x20...0x7e, using: &random)
    case 1: line.removeSubrange(place...)
    case 2: line.removeSubrange(place..<min(line.count, place + 5))
    case 3: line.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
    default: line.insert(contentsOf: line[place..<min(line.count, place + 9)], at: place)
    }
  }

  private func compare(_ text: String, _ comment: String) {
    let ours = try? EventCodec.decode(text)
    let theirs = try? JSONDecoder().decode(Mirror.self, from: Data(text.utf8))
    guard let theirs else {
      // Ours reads numbers as ids, and repairs halves of surrogate pairs.
      if case .message(let message)? = ours, !Self.hasNumericID(text),
        !"\(message)".contains("\u{fffd}")
      {
        Issue.record("read \(message) of what JSONDecoder refuses; \(comment)")
      }
      return
    }
    let isMessage = theirs.type == nil || theirs.type == "message"
    let isWhole =
      !theirs.messageID.isEmpty && !theirs.profileID.isEmpty
      && (theirs.content != nil || theirs.images?.isEmpty == false || text.contains("files"))
    guard isMessage, isWhole, !Self.hasTwice(text) else { return }
    guard case .message(let message)? = ours else {
      // JSONDecoder looks at a number only when it is asked for, and takes
      // a comma after the last element.
      if text.contains(/[0-9][-+.eE]*[.eE][-+0-9]*[-+.eE]|,\s*\]/) { return }
      Issue.record("read nothing; \(comment)")
      return
    }
    #expect(message.id == theirs.messageID && message.profileID == theirs.profileID, "\(comment)")
    #expect(message.content == theirs.content, "\(comment)")
    #expect(message.images == theirs.images ?? [], "\(comment)")
    #expect(message.replyTo == theirs.replyTo, "\(comment)")
    #expect(message.isAction == theirs.action ?? false, "\(comment)")
  }

  private static func hasNumericID(_ text: String) -> Bool {
    text.contains(/"(messageID|profileID|replyTo)"\s*:\s*-?[0-9]/)
  }

  /// JSONDecoder does not say which of two fields of one name it takes.
  private static func hasTwice(_ text: String) -> Bool {
    ["type", "messageID", "profileID", "content", "images", "replyTo", "action"].contains {
      text.ranges(of: "\"\($0)\"").count > 1
    }
  }
}

/// Vigna's SplitMix64: the same numbers in each run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
