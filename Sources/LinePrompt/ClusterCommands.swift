import CReadline

/// readline's commands that move and delete by character, by grapheme cluster
/// instead (readline manual, "Commands For Moving", "Commands For Changing
/// Text"). A negative count turns the direction round.
@MainActor
enum ClusterCommands {
  /// readline's name of a command, and what takes its place.
  static let replacements: [(String, ReadlineCommand)] = [
    ("forward-char", { count, _ in move(Int(count)) }),
    ("backward-char", { count, _ in move(-Int(count)) }),
    ("delete-char", { count, _ in delete(Int(count)) }),
    ("backward-delete-char", { count, _ in delete(-Int(count)) }),
    ("transpose-chars", { _, _ in transpose() }),
    ("vi-delete", { count, _ in viDelete(Int(count)) }),
    ("vi-rubout", { count, _ in viDelete(-Int(count)) }),
  ]

  /// The place `count` clusters from the cursor.
  private static func target(_ count: Int) -> Int {
    let clusters = Clusters(Readline.line)
    let point = Int(rl_point)
    if count == 0 { return point }
    return count > 0
      ? clusters.after(point, count: count) : clusters.before(point, count: -count)
  }

  private static func move(_ count: Int) -> Int32 {
    var goal = target(count)
    // vi's cursor stands on a cluster, never behind the last one.
    if count > 0, Readline.isViCommandMode, goal >= Int(rl_end) {
      goal = max(Int(rl_point), Clusters(Readline.line).before(Int(rl_end)))
    }
    if goal == Int(rl_point), count != 0 { rl_ding() }
    rl_point = Int32(goal)
    return 0
  }

  /// Deletes `count` clusters; as readline does, more than one go to the kill
  /// ring.
  static func delete(_ count: Int) -> Int32 {
    remove(count, kills: abs(count) > 1 || rl_explicit_arg != 0)
  }

  private static func viDelete(_ count: Int) -> Int32 {
    let status = remove(count, kills: true)
    if status == 0, rl_point == rl_end, rl_point > 0 {
      rl_point = Int32(Clusters(Readline.line).before(Int(rl_end)))
    }
    return status
  }

  /// 0, or 1 and the bell where there is nothing.
  private static func remove(_ count: Int, kills: Bool) -> Int32 {
    let goal = target(count)
    guard goal != Int(rl_point) else {
      if count != 0 { rl_ding() }
      return 1
    }
    let (start, end) = (min(goal, Int(rl_point)), max(goal, Int(rl_point)))
    if kills {
      rl_kill_text(Int32(start), Int32(end))
    } else {
      rl_delete_text(Int32(start), Int32(end))
    }
    rl_point = Int32(start)
    return 0
  }

  private static func transpose() -> Int32 {
    let clusters = Clusters(Readline.line)
    let end = rl_point == rl_end ? Int(rl_end) : clusters.after(Int(rl_point))
    let middle = clusters.before(end)
    let start = clusters.before(middle)
    guard start < middle, middle < end else {
      rl_ding()
      return 1
    }
    let line = Readline.lineBytes
    let swapped = String(decoding: line[middle..<end] + line[start..<middle], as: UTF8.self)
    Readline.replace(start..<end, with: swapped)
    return 0
  }
}
