/// Ids for messages to which the server gives none: made of when, by whom,
/// where and what, so that the same message told again, as by a bouncer, has
/// the same id.
package struct DerivedIDs {
  private var lastMilliseconds = Int64.min
  /// How often each was seen in that millisecond.
  private var counts: [UInt64: Int] = [:]

  package init() {}

  /// Whether an id was made here, so that the server does not know it.
  static func isMade(_ id: String) -> Bool { id.hasPrefix(prefix) }

  fileprivate static let prefix = "irc-"

  /// - Parameters:
  ///   - milliseconds: what the server's time is.
  ///   - parts: what tells it from others.
  package mutating func next(_ milliseconds: Int64, _ parts: String...) -> String {
    if milliseconds != lastMilliseconds {
      (lastMilliseconds, counts) = (milliseconds, [:])
    }
    let hash = Self.hash(parts)
    let count = counts[hash, default: 0]
    counts[hash] = count + 1
    let id = "\(Self.prefix)\(String(milliseconds, radix: 36))-\(String(hash, radix: 36))"
    return count == 0 ? id : "\(id)-\(count)"
  }

  /// FNV-1a with 64 bits (Fowler, Noll, Vo), the same in every run.
  private static func hash(_ parts: [String]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    return hash
  }
}

/// Ids for what has no id of its own anywhere: never twice the same, in no run.
struct MadeIDs {
  private let head = "\(DerivedIDs.prefix)\(String(UInt64.random(in: 0...UInt64.max), radix: 36))-"
  private var count: UInt64 = 0

  mutating func next() -> String {
    count += 1
    return head + String(count, radix: 36)
  }
}
