internal import Glibc

/// Whether loops are to be long, as `make soak` asks.
package let isSoak = getenv("BANTER_SOAK") != nil

/// Random numbers that come again with the same seed, so that a test that fails
/// once fails again: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// Whether something comes true that does so once in `times`.
  package mutating func once(in times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }

  /// One of `choices`, which are not none.
  package mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &self)]
  }
}
