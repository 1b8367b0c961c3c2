import CReadline

/// readline's commands that move and delete by word (readline manual,
/// "Commands For Moving"): a combining mark belongs to the letter before it,
/// where readline would end the word. Lines of ASCII stay readline's.
@MainActor
enum WordCommands {
  /// readline's name of a command, and what takes its place.
  static let replacements: [(String, ReadlineCommand)] = [
    ("forward-word", { count, _ in move(Int(count)) }),
    ("backward-word", { count, _ in move(-Int(count)) }),
    ("kill-word", { count, _ in kill(Int(count)) }),
    ("backward-kill-word", { count, _ in kill(-Int(count)) }),
  ]

  private static func move(_ count: Int) -> Int32 {
    rl_point = Int32(target(count))
    return 0
  }

  private static func kill(_ count: Int) -> Int32 {
    let goal = target(count)
    // The order tells readline at which end of a kill before to add it.
    if goal != Int(rl_point) { rl_kill_text(rl_point, Int32(goal)) }
    rl_point = Int32(min(goal, Int(rl_point)))
    return 0
  }

  /// The end of the word `count` words on, or the start of the one so many
  /// back.
  private static func target(_ count: Int) -> Int {
    guard Readline.lineBytes.contains(where: { $0 >= 0x80 }) else { return asciiTarget(count) }
    let line = Array(Readline.line)
    let boundaries = Clusters(Readline.line).boundaries
    var place = boundaries.firstIndex { $0 >= Int(rl_point) } ?? line.count
    for _ in 0..<abs(count) {
      if count > 0 {
        while place < line.count, !isLetter(line[place]) { place += 1 }
        while place < line.count, isLetter(line[place]) { place += 1 }
      } else {
        while place > 0, !isLetter(line[place - 1]) { place -= 1 }
        while place > 0, isLetter(line[place - 1]) { place -= 1 }
      }
    }
    return boundaries[place]
  }

  private static func asciiTarget(_ count: Int) -> Int {
    let point = rl_point
    defer { rl_point = point }
    rl_forward_word(Int32(clamping: count), 0)
    return Int(rl_point)
  }

  private static func isLetter(_ cluster: Character) -> Bool {
    cluster.isLetter || cluster.isNumber
  }
}
