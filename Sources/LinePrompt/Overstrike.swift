import CReadline

/// Typing over what stands in the line, cluster by cluster, and taking that
/// back again.
@MainActor
struct Overstrike {
  /// What was typed since the cursor was put where it began.
  private(set) var typed = ""
  private var start = -1
  /// What the clusters of `typed` stand in the place of; empty behind the
  /// line's end.
  private var covered: [String] = []
  private var lineEnd = -1

  /// Nothing is typed yet.
  init() {}

  /// Whether nothing else has changed the line or moved the cursor since.
  private var isCurrent: Bool {
    Int(rl_point) == start + typed.utf8.count && Int(rl_end) == lineEnd
  }

  /// Puts `text` in the place of as many clusters as it adds: none where it
  /// only joins the one before.
  mutating func type(_ text: String) {
    let point = Int(rl_point)
    if !isCurrent {
      self = Overstrike()
      start = point
    }
    typed += text
    let count = max(0, typed.count - covered.count)
    let next = String(decoding: Readline.lineBytes[point...], as: UTF8.self).prefix(count)
    covered += next.map(String.init)
    covered += Array(repeating: "", count: max(0, typed.count - covered.count))
    Readline.replace(point..<point + next.utf8.count, with: text)
    lineEnd = Int(rl_end)
  }

  /// Puts back what stood in the place of the last cluster; false where none
  /// was typed.
  mutating func takeBack() -> Bool {
    guard isCurrent, let last = typed.popLast() else { return false }
    let old = covered.count > typed.count ? covered.removeLast() : ""
    let point = Int(rl_point)
    let place = point - last.utf8.count
    Readline.replace(place..<point, with: old)
    rl_point = Int32(place)
    lineEnd = Int(rl_end)
    return true
  }
}
