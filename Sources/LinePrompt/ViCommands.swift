import CReadline

/// Commands of vi that change single characters, by grapheme cluster. Where
/// each cluster that is concerned is one code point, readline's own do it.
@MainActor
enum ViCommands {
  /// readline's name of a command, and what takes its place.
  static let replacements: [(String, ReadlineCommand)] = [
    ("vi-change-char", { count, key in changeCharacter(count, key) }),
    ("vi-change-case", { count, key in changeCase(count, key) }),
    ("vi-put", { count, key in put(count, key) }),
    ("vi-movement-mode", { count, key in endInsertion(count, key) }),
  ]

  /// The clusters from the cursor on, `count` at most, and whether readline
  /// would take one of them apart.
  private static func clusters(_ count: Int32) -> (range: Range<Int>, isComposed: Bool) {
    let end = Clusters(Readline.line).after(Int(rl_point), count: max(1, Int(count)))
    let range = Int(rl_point)..<end
    let text = String(decoding: Readline.lineBytes[range], as: UTF8.self)
    return (range, text.contains { $0.unicodeScalars.count > 1 })
  }

  /// `r`: the key that comes next takes the clusters' place, see
  /// ``replaceClusters(_:by:)``.
  private static func changeCharacter(_ count: Int32, _ key: Int32) -> Int32 {
    guard clusters(count).isComposed else { return rl_vi_change_char(count, key) }
    LinePrompt.active?.clustersToReplace = Int(count)
    return 0
  }

  /// Puts `character` in the place of each of `count` clusters; the cursor
  /// stands on the last.
  static func replaceClusters(_ count: Int, by character: String) {
    let range = clusters(Int32(clamping: count)).range
    let old = String(decoding: Readline.lineBytes[range], as: UTF8.self)
    Readline.replace(range, with: String(repeating: character, count: old.count))
    rl_point = Int32(Clusters(Readline.line).before(Int(rl_point)))
  }

  /// `~`: upper case becomes lower case and the other way round.
  private static func changeCase(_ count: Int32, _ key: Int32) -> Int32 {
    let (range, isComposed) = clusters(count)
    guard isComposed else { return rl_vi_change_case(count, key) }
    let old = String(decoding: Readline.lineBytes[range], as: UTF8.self)
    Readline.replace(range, with: old.map(switchingCase).joined())
    if rl_point == rl_end { rl_point = Int32(Clusters(Readline.line).before(Int(rl_end))) }
    return 0
  }

  private static func switchingCase(_ cluster: Character) -> String {
    let other = cluster.isUppercase ? cluster.lowercased() : cluster.uppercased()
    return other.count == 1 ? other : String(cluster)
  }

  /// `p` puts behind the cluster on which the cursor stands, `P` before it;
  /// then the cursor stands on the last that was put.
  private static func put(_ count: Int32, _ key: Int32) -> Int32 {
    if key != Int32(UInt8(ascii: "P")) { rl_point = Int32(clusters(1).range.upperBound) }
    let end = rl_end
    rl_yank(1, key)
    for _ in 1..<Readline.bounded(count, of: Int(rl_end - end)) { rl_yank(1, key) }
    rl_point = Int32(Clusters(Readline.line).before(Int(rl_point)))
    return 0
  }

  /// ESC: what was inserted is one insertion, which `.` repeats whole.
  static func endInsertion(_ count: Int32, _ key: Int32) -> Int32 {
    Readline.joinInsertions()
    return rl_vi_movement_mode(count, key)
  }
}
