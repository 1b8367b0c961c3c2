/// Makes ids that sort by the time at which they were made (RFC 9562, section
/// 5.7): 48 bits of milliseconds, a 12-bit counter, 62 random bits.
///
/// Ids of one generator always grow: within a millisecond, and when the clock
/// goes back, the counter counts on (section 6.2, method 1), and when it is
/// full, the time runs ahead by a millisecond.
package struct UUIDv7Generator: Sendable {
  private var lastMilliseconds: UInt64 = 0
  private var counter: UInt16 = 0

  package init() {}

  /// The next id, in the usual form with hyphens and lower-case digits.
  package mutating func next(at moment: Timestamp) -> String {
    next(at: moment, random: UInt64.random(in: 0...UInt64.max))
  }

  /// The next id with the random bits of `random`: the counter's start from
  /// its highest 11, the tail from its lowest 62.
  mutating func next(at moment: Timestamp, random: UInt64) -> String {
    let milliseconds = UInt64(clamping: moment.milliseconds) & 0xffff_ffff_ffff
    if milliseconds > lastMilliseconds {
      lastMilliseconds = milliseconds
      counter = UInt16(truncatingIfNeeded: random >> 53)
    } else if counter < 0xfff {
      counter += 1
    } else {
      lastMilliseconds += 1
      counter = 0
    }
    let high = lastMilliseconds << 16 | 0x7000 | UInt64(counter)
    let low = 0x8000_0000_0000_0000 | random & 0x3fff_ffff_ffff_ffff
    return Self.text(high, low)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for (word, hyphens) in [(high, [4, 6]), (low, [0, 2])] {
        for byte in 0..<8 {
          if hyphens.contains(byte) {
            buffer[position] = UInt8(ascii: "-")
            position += 1
          }
          let value = UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64(byte)))
          buffer[position] = hexadecimalDigit(value >> 4)
          buffer[position + 1] = hexadecimalDigit(value & 0xf)
          position += 2
        }
      }
      return position
    }
  }
}

/// The lower-case digit of a value from 0 to 15.
func hexadecimalDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
