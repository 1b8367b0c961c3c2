internal import TerminalText

/// Small pictures side by side, each under its label.
struct ContactSheet {
  /// How wide a cell is where there is room.
  private static let usualColumns = 18
  static let cellRows = 7
  private static let gap = 2

  private let measure: TextMeasure
  /// How wide a cell is.
  let cellColumns: Int
  private let cellsInRow: Int
  private var cells: [(label: String, rows: [String])] = []

  /// - Parameter columns: how wide it may be.
  init(columns: Int, measure: TextMeasure) {
    self.measure = measure
    cellColumns = max(1, min(columns, Self.usualColumns))
    cellsInRow = max(1, (columns + Self.gap) / (cellColumns + Self.gap))
  }

  /// - Parameter rows: may have colours; those that are wider than a cell are
  ///   cut, and so must have none.
  mutating func add(_ label: String, _ rows: [String]) {
    cells.append((label, rows))
  }

  /// Whether the cells fill a row; whatever is added begins the next.
  var isFull: Bool { cells.count == cellsInRow }

  /// All of it, row by row, without trailing blanks.
  var rows: [String] {
    stride(from: 0, to: cells.count, by: cellsInRow).flatMap { start in
      rows(of: cells[start..<min(start + cellsInRow, cells.count)])
    }
  }

  private func rows(of cells: ArraySlice<(label: String, rows: [String])>) -> [String] {
    let height = cells.map(\.rows.count).max() ?? 0
    let labels = cells.map { fitted(neutralized($0.label)) }
    let pictures = (0..<height).map { row in
      cells.map { $0.rows.indices.contains(row) ? fitted($0.rows[row]) : blank(cellColumns) }
    }
    return ([labels] + pictures).map { parts in
      var row = parts.joined(separator: blank(Self.gap))
      while row.last == " " { row.removeLast() }
      return row
    }
  }

  private func fitted(_ text: String) -> String {
    let width = measure.columns(Self.withoutColors(text))
    if width > cellColumns { return fitted(measure.truncated(text, to: cellColumns)) }
    return text + blank(cellColumns - width)
  }

  private func blank(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// A row without its colours (SGR, ECMA-48 8.3.117).
  private static func withoutColors(_ row: String) -> String {
    var text = String.UnicodeScalarView()
    var isColor = false
    for scalar in row.unicodeScalars {
      if scalar == "\u{1b}" { isColor = true }
      if !isColor { text.append(scalar) }
      if isColor, scalar == "m" { isColor = false }
    }
    return String(text)
  }
}
