import ChatModel

/// Breaks text into rows of a given width.
///
/// Rows end at newlines, then at blanks and beside CJK ideographs, kana and
/// emoji; Korean, like other words, is broken only where a word alone is too
/// long for a row. Clusters stay whole. No row ends in a blank.
package struct LineWrapper: Sendable {
  /// The columns of a row, at least 1.
  var columns: Int
  /// Says how wide clusters are.
  let measure: TextMeasure
  private var cells = TextCells()

  /// What stands for a cluster that is wider than the whole row.
  static let placeholder = "?"

  /// A wrapper for rows of so many columns; fewer than 1 count as 1.
  package init(columns: Int, measure: TextMeasure) {
    self.columns = max(1, columns)
    self.measure = measure
  }

  /// The rows of `text`, at least one; neutralise it before.
  package func lines(_ text: String) -> [String] {
    var copy = self
    return copy.wrap(text).rows.map { $0.string(in: text) }
  }

  /// Breaks `text`, keeping the memory that it takes for the next one.
  mutating func wrap(_ text: String) -> WrappedText {
    if let width = measure.simpleColumns(text), width <= columns, text.utf8.last != 0x20 {
      let row = WrappedRow(start: 0, end: text.utf8.count, columns: width)
      return WrappedText(text: text, rows: [row])
    }
    cells.load(text, measure: measure)
    var breaker = RowBreaker(cells: cells.cells, columns: columns)
    var rows = breaker.rows()
    if hasDirections(text) { closeDirections(of: text, in: &rows) }
    return WrappedText(text: text, rows: rows)
  }
}

/// A text and where its rows are.
struct WrappedText {
  /// What was wrapped.
  let text: String
  /// At least one.
  let rows: [WrappedRow]
  /// How parts of the text look.
  var styles: [StyledRange] = []
}

/// One row of a wrapped text.
struct WrappedRow {
  /// The bytes of the text that it shows.
  let start: Int
  /// The byte after the last.
  let end: Int
  /// Its width.
  let columns: Int
  /// What is shown in place of these bytes, if not they themselves.
  var replacement: String?

  /// What is shown.
  func string(in text: String) -> String {
    if let replacement { return replacement }
    let utf8 = text.utf8
    let from = utf8.index(utf8.startIndex, offsetBy: start)
    return String(text[from..<utf8.index(from, offsetBy: end - start)])
  }
}

/// One pass over the cells of a text.
private struct RowBreaker {
  let cells: [TextCell]
  let columns: Int
  private var result: [WrappedRow] = []
  /// The first cell of the row.
  private var first = 0
  /// The end of the last cell of the row that is not a blank.
  private var contentEnd = 0
  /// Where the row can end and the next begin; nil while it cannot.
  private var opportunity: (end: Int, next: Int)?
  /// The cell after a placeholder, for which there need not be another row.
  private var afterPlaceholder: Int?

  init(cells: [TextCell], columns: Int) {
    self.cells = cells
    self.columns = columns
  }

  mutating func rows() -> [WrappedRow] {
    for index in cells.indices {
      switch cells[index].kind {
      case .newline:
        emitRest()
        begin(at: index + 1)
      case .blank:
        opportunity = (contentEnd, index + 1)
      case .glue:
        break
      case .word, .ideograph, .closer, .opener:
        takeVisible(index)
      }
    }
    emitRest()
    return result
  }

  private mutating func takeVisible(_ index: Int) {
    if index > first, contentEnd == index, canBreak(before: index) {
      opportunity = (index, index)
    }
    let cell = cells[index]
    while cell.column + cell.width - cells[first].column > columns {
      if let place = opportunity {
        if place.end > first { emit(to: place.end) }
        begin(at: place.next)
      } else if index > first {
        let end = forcedEnd(before: index)
        if contentEnd > first { emit(to: min(end, contentEnd)) }
        begin(at: end)
      } else {
        emitPlaceholder(for: index)
        begin(at: index + 1)
        return
      }
    }
    contentEnd = index + 1
  }

  /// Where to break a word that must be broken before a cell: no row is to
  /// begin with a closing mark.
  private func forcedEnd(before index: Int) -> Int {
    let isBad = cells[index].kind == .closer && contentEnd == index && index - 1 > first
    return isBad && cells[index - 1].kind != .closer ? index - 1 : index
  }

  /// Whether a row may end between a cell and the one before it, neither of
  /// which is a blank.
  private func canBreak(before index: Int) -> Bool {
    let left = cells[index - 1]
    let right = cells[index]
    if right.kind == .closer || left.kind == .opener || right.width == 0 { return false }
    if left.kind == .ideograph || right.kind == .ideograph || right.kind == .opener { return true }
    return left.kind == .closer && left.width == 2
  }

  private mutating func begin(at index: Int) {
    first = index
    contentEnd = max(index, contentEnd)
    opportunity = nil
  }

  /// Emits the last row of a line.
  private mutating func emitRest() {
    if contentEnd <= first, afterPlaceholder == first { return }
    emit(to: contentEnd)
  }

  private mutating func emit(to end: Int) {
    let start = first == 0 ? 0 : cells[first - 1].end
    guard end > first else {
      result.append(WrappedRow(start: start, end: start, columns: 0))
      return
    }
    let last = cells[end - 1]
    result.append(
      WrappedRow(
        start: start, end: last.end, columns: last.column + last.width - cells[first].column))
  }

  private mutating func emitPlaceholder(for index: Int) {
    afterPlaceholder = index + 1
    let start = index == 0 ? 0 : cells[index - 1].end
    result.append(
      WrappedRow(
        start: start, end: cells[index].end, columns: 1, replacement: LineWrapper.placeholder))
  }
}
