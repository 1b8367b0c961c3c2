/// The pixels of the half blocks on a screen.
enum ScreenPixels {
  /// Two rows of pixels for each row that has colours from its beginning on
  /// (SGR, ECMA-48 8.3.117), of what `tmux capture-pane -e` tells.
  static func pixels(_ screen: String) -> [[[Int]]] {
    screen.split(separator: "\n").filter { $0.contains("▄") || $0.contains("\u{1b}[48;2;") }
      .flatMap(rows)
  }

  private static func rows(_ row: Substring) -> [[[Int]]] {
    var (front, back, isReversed) = ([0, 0, 0], [0, 0, 0], false)
    var rows: [[[Int]]] = [[], []]
    var rest = row[...]
    while let character = rest.popFirst() {
      if character == "\u{1b}" {
        let sequence = rest.prefix { $0 != "m" }
        rest = rest.dropFirst(sequence.count + 1)
        let numbers = sequence.dropFirst().split(
          omittingEmptySubsequences: false, whereSeparator: { $0 == ";" || $0 == ":" }
        ).map { Int($0) ?? 0 }
        apply(numbers[...], &front, &back, &isReversed)
      } else {
        let (ink, paper) = isReversed ? (back, front) : (front, back)
        rows[0].append(character == "█" ? ink : paper)
        rows[1].append(character == " " ? paper : ink)
      }
    }
    return rows
  }

  private static func apply(
    _ numbers: ArraySlice<Int>, _ front: inout [Int], _ back: inout [Int], _ isReversed: inout Bool
  ) {
    var rest = numbers
    while let number = rest.popFirst() {
      switch number {
      case 0: (front, back, isReversed) = ([0, 0, 0], [0, 0, 0], false)
      case 7: isReversed = true
      case 27: isReversed = false
      case 38, 48:
        let color = Array(rest.dropFirst().prefix(3))
        rest = rest.dropFirst(4)
        if number == 38 { front = color } else { back = color }
      default: break
      }
    }
  }
}
