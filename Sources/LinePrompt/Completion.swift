import TerminalText

/// What is to be completed.
package struct CompletionRequest: Equatable, Sendable {
  /// The typed line.
  package var line: String
  /// The cursor, in UTF-8 bytes from the line's start.
  package var cursor: Int

  /// A request.
  package init(line: String, cursor: Int) {
    self.line = line
    self.cursor = cursor
  }
}

/// One way to complete.
package struct Candidate: Equatable, Sendable {
  /// What takes the place of the reply's range, to the letter.
  package var insert: String
  /// What the listing shows; must be free of control characters.
  package var label: String

  /// A candidate.
  package init(insert: String, label: String? = nil) {
    self.insert = insert
    self.label = label ?? insert
  }
}

/// What a completer answers.
package struct CompletionReply: Equatable, Sendable {
  /// What the candidates replace, in UTF-8 bytes of the line.
  package var range: Range<Int>
  /// The candidates, best first.
  package var candidates: [Candidate]

  /// A reply; without candidates there is nothing to complete.
  package init(range: Range<Int> = 0..<0, candidates: [Candidate] = []) {
    self.range = range
    self.candidates = candidates
  }

  /// What all candidates begin with, cut between clusters.
  var commonPrefix: String {
    guard var prefix = candidates.first?.insert else { return "" }
    for candidate in candidates.dropFirst() {
      prefix = String(zip(prefix, candidate.insert).prefix { $0 == $1 }.map(\.0))
    }
    return prefix
  }
}

/// Lays the listing of candidates out: in columns, read downwards, in a bounded
/// number of rows, the last of which says how many are not shown.
struct CompletionListing {
  /// Columns of the window.
  let columns: Int
  /// Most rows.
  let rowLimit: Int
  /// Columns of a label.
  let measure: TextMeasure
  /// What the last row says.
  var words = LinePrompt.Words()

  /// The rows; none for no labels.
  func rows(_ labels: [String]) -> [String] {
    guard !labels.isEmpty else { return [] }
    let width = max(1, columns - 1)
    let cellWidth = min(width, (labels.map(measure.columns).max() ?? 0) + 2)
    let perRow = max(1, (width + 2) / cellWidth)
    let limit = max(2, rowLimit)
    let isAll = labels.count <= perRow * limit
    let shown = isAll ? labels[...] : labels.prefix(perRow * (limit - 1))
    let count = (shown.count + perRow - 1) / perRow
    var rows = (0..<count).map { row in
      let cells = stride(from: row, to: shown.count, by: count).map { shown[$0] }
      return line(cells, cellWidth: cellWidth, width: width)
    }
    if !isAll { rows.append(words.moreCandidates(labels.count - shown.count)) }
    return rows
  }

  private func line(_ labels: [String], cellWidth: Int, width: Int) -> String {
    var line = ""
    for (index, label) in labels.enumerated() {
      let label = clipped(label, to: width)
      line += label
      let gap = cellWidth - measure.columns(label)
      if index + 1 < labels.count { line += String(repeating: " ", count: max(1, gap)) }
    }
    return line
  }

  private func clipped(_ label: String, to width: Int) -> String {
    guard measure.columns(label) > width else { return label }
    var result = ""
    for cluster in label where measure.columns(result + String(cluster)) <= width {
      result.append(cluster)
    }
    return result
  }
}
