/// Looks through a text cluster by cluster for what is invisible without being
/// of use, has nothing to stand on, or is piled up too high.
struct ClusterFilter {
  /// Of a pile of combining marks so many are kept: more than any language
  /// writes, less than reaches into other rows.
  static let maximalMarks = 8
  /// A cluster is cut off after so many scalars; the longest family of emoji
  /// with skin tones has ten.
  static let maximalScalars = 32

  private let mode: Neutralization
  private let keepsMarksOfDirection: Bool
  private let measure = TextMeasure()
  private var result = String.UnicodeScalarView()
  private var column = 0
  private var isVisible = false
  private var firstInvisible: Unicode.Scalar?

  /// A filter for one text; it keeps U+200E and its like where asked to.
  init(mode: Neutralization, keepsMarksOfDirection: Bool) {
    self.mode = mode
    self.keepsMarksOfDirection = keepsMarksOfDirection
  }

  /// What of `text` may be shown.
  mutating func filter(_ text: String) -> String {
    for cluster in text {
      let scalars = cluster.unicodeScalars
      if let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
        takeLone(first)
      } else {
        take(Array(scalars))
      }
    }
    if !isVisible, let firstInvisible { return notation(of: firstInvisible) }
    return String(result)
  }

  private mutating func take(_ scalars: [Unicode.Scalar]) {
    var kept = KeptCluster()
    for (index, scalar) in scalars.enumerated() {
      if kept.scalars.count >= Self.maximalScalars {
        kept.append("\u{FFFD}")
        break
      }
      let following = index + 1 < scalars.count ? scalars[index + 1] : nil
      take(scalar, before: following, into: &kept, isFlag: isTaggedFlag(scalars))
    }
    keep(kept)
  }

  private mutating func takeLone(_ scalar: Unicode.Scalar) {
    if scalar == "\n" {
      result.append(scalar)
      column = 0
    } else if scalar == "\t" {
      let width = TextMeasure.tabWidth - column % TextMeasure.tabWidth
      result.appendEach(of: repeatElement(" ", count: width))
      column += width
    } else if let width = ScalarWidth.ofSimple(scalar.value) {
      result.append(scalar)
      column += width
      if scalar != " " { isVisible = true }
    } else {
      var kept = KeptCluster()
      take(scalar, before: nil, into: &kept, isFlag: false)
      keep(kept)
    }
  }

  private mutating func keep(_ kept: KeptCluster) {
    result.appendEach(of: kept.scalars)
    column += measure.columns(String(String.UnicodeScalarView(kept.scalars)))
    if kept.hasBase { isVisible = true }
  }

  private mutating func take(
    _ scalar: Unicode.Scalar, before following: Unicode.Scalar?, into kept: inout KeptCluster,
    isFlag: Bool
  ) {
    switch ScalarKind(scalar) {
    case .visible:
      kept.append(scalar)
      kept.hasBase = true
    case .mark:
      takeMark(scalar, into: &kept)
    case .vowel:
      if kept.scalars.isEmpty { kept.append("\u{115F}") }
      kept.append(scalar)
      kept.hasBase = true
    case .final:
      if kept.scalars.isEmpty { kept.append(contentsOf: ["\u{115F}", "\u{1160}"]) }
      kept.append(scalar)
      kept.hasBase = true
    case .blank, .direction:
      noteInvisible(scalar)
      kept.append(scalar)
    case .markOfDirection where keepsMarksOfDirection:
      kept.append(scalar)
    case .selector where kept.takesSelector, .tag where isFlag:
      kept.append(scalar)
    case .joiner where kept.takesJoiner(before: following):
      kept.append(scalar)
    case .stray where isFiller(scalar, before: following, in: kept):
      kept.append(scalar)
    case .joiner, .selector, .tag, .stray, .markOfDirection:
      takeStray(scalar, into: &kept)
    }
  }

  private func takeMark(_ scalar: Unicode.Scalar, into kept: inout KeptCluster) {
    if kept.marks >= Self.maximalMarks { return }
    if !kept.takesMark { kept.append("\u{25CC}") }
    kept.append(scalar)
    kept.marks += 1
    kept.hasBase = true
  }

  private mutating func takeStray(_ scalar: Unicode.Scalar, into kept: inout KeptCluster) {
    noteInvisible(scalar)
    guard mode == .line else { return }
    kept.append(contentsOf: notation(of: scalar).unicodeScalars)
    kept.hasBase = true
    kept.endsInNotation = true
  }

  /// The fillers that hold the place of a missing part of a Hangul syllable.
  private func isFiller(
    _ scalar: Unicode.Scalar, before following: Unicode.Scalar?, in kept: KeptCluster
  ) -> Bool {
    guard let following else { return false }
    let next = ScalarKind(following)
    switch scalar.value {
    case 0x115F: return next == .vowel || following.value == 0x1160
    case 0x1160: return next == .final && !kept.scalars.isEmpty
    default: return false
    }
  }

  /// Whether the cluster is a flag spelt in tags, to its end.
  private func isTaggedFlag(_ scalars: [Unicode.Scalar]) -> Bool {
    scalars.first?.value == 0x1F3F4 && scalars.last?.value == 0xE007F
  }

  private mutating func noteInvisible(_ scalar: Unicode.Scalar) {
    if firstInvisible == nil, scalar != " " { firstInvisible = scalar }
  }
}

/// What is kept so far of one cluster.
private struct KeptCluster {
  /// All of it, in order.
  var scalars: [Unicode.Scalar] = []
  /// How many combining marks are among them.
  var marks = 0
  /// Whether there is something to be seen.
  var hasBase = false
  /// Whether the last thing is a name in angle brackets, on which nothing may
  /// stand.
  var endsInNotation = false

  /// Adds a scalar on which others may stand.
  mutating func append(_ scalar: Unicode.Scalar) {
    scalars.append(scalar)
    endsInNotation = false
  }

  /// Adds scalars on the last of which others may stand.
  mutating func append(contentsOf more: some Sequence<Unicode.Scalar>) {
    scalars.append(contentsOf: more)
    endsInNotation = false
  }

  /// Whether a combining mark has something to stand on.
  var takesMark: Bool { !scalars.isEmpty && !endsInNotation }

  /// Whether there is a shape to choose, not chosen yet.
  var takesSelector: Bool {
    guard hasBase, !endsInNotation, let last = scalars.last else { return false }
    return ScalarKind(last) != .selector
  }

  /// Whether a joiner here joins emoji, or shapes a letter.
  func takesJoiner(before following: Unicode.Scalar?) -> Bool {
    guard hasBase, !endsInNotation, let last = scalars.last, let first = scalars.first,
      ScalarKind(last) != .joiner
    else { return false }
    if ScalarKind.shapesByJoiner(first) { return true }
    guard let following else { return false }
    return following.properties.isEmoji && first.properties.isEmoji
  }
}
