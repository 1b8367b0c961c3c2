/// The names of what a cluster keeps: one stream for all rooms, one subject a
/// room.
package enum Subjects {
  /// The stream of all rooms.
  package static let stream = "BANTER"
  /// The bucket of profiles, and its stream (NATS ADR-8).
  package static let bucket = "banter-profiles"
  package static let bucketStream = "KV_\(bucket)"
  /// The stream of the rooms' files.
  package static let fileStream = "BANTER_FILES"

  /// Where a room's events are kept.
  package static func events(of room: String) -> String { "room.\(token(room))" }

  /// Where they are told again as they come.
  package static func news(of room: String) -> String { "live.\(events(of: room))" }

  /// Where those who are there say so.
  package static func presence(in room: String) -> String { "here.\(events(of: room))" }

  package static func profile(_ id: String) -> String { "$KV.\(bucket).\(token(id))" }

  /// Where the parts of a room's file are kept, one after the other.
  package static func file(_ name: String, in room: String) -> String {
    "file.\(token(room)).\(token(name))"
  }

  /// A name as one token of a subject: a letter, a digit, `-`, `_` and what is
  /// not ASCII stand for themselves, any other byte as `=XX`, so that neither
  /// the separator nor the wildcards can be in it.
  package static func token(_ name: String) -> String {
    var token: [UInt8] = []
    for byte in name.utf8 {
      if byte >= 0x80 || isPlain(byte) {
        token.append(byte)
      } else {
        token.append(UInt8(ascii: "="))
        token += [byte >> 4, byte & 15].map { digits[Int($0)] }
      }
    }
    return String(decoding: token, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
