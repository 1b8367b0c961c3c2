/// Brings frames onto a terminal by writing what differs: ECMA-48 sequences
/// (CUU, CUF, EL), or on a dumb terminal only CR, BS and blanks. Knows what is
/// on the screen; returns bytes and writes nothing itself.
struct FramePainter {
  /// Whether no escape sequence may be written.
  let isPlain: Bool
  /// What is on the screen; nil when the cursor stands on an empty row.
  private(set) var shown: Frame? {
    didSet { if let shown { offset = shown.offset } }
  }
  /// The row or column that the last frame began at: what is drawn anew after
  /// it was taken away stands where it stood.
  private(set) var offset = 0

  init(isPlain: Bool) { self.isPlain = isPlain }

  /// The bytes that turn what is shown into `next`.
  mutating func draw(_ next: Frame) -> [UInt8] {
    let old = shown ?? Frame()
    var pen = Pen(isPlain: isPlain, frame: old)
    for row in 0..<max(old.rows.count, next.rows.count) {
      let oldRow = row < old.rows.count ? old.rows[row] : []
      let nextRow = row < next.rows.count ? next.rows[row] : []
      if row >= old.rows.count { pen.addRow() }
      pen.change(row: row, from: oldRow, to: nextRow)
    }
    pen.move(toRow: next.cursorRow, column: next.cursorColumn, in: next)
    shown = next
    return pen.bytes
  }

  /// The bytes that take the prompt off the screen and leave the cursor at the
  /// start of its top row. EL only: some terminals copy into their history
  /// what ED clears from the top row.
  mutating func erase() -> [UInt8] {
    guard let frame = shown else { return [] }
    var pen = Pen(isPlain: isPlain, frame: frame)
    for row in frame.rows.indices.reversed() where !frame.rows[row].isEmpty {
      pen.clear(row: row, in: frame)
    }
    pen.move(toRow: 0, column: 0, in: Frame())
    shown = nil
    return pen.bytes
  }

  /// The cursor now stands on an empty row, whatever was shown before.
  mutating func forget() { shown = nil }

  /// The bytes that clear the prompt away after the window went to `columns`
  /// and `rows`. A terminal that reflows has broken rows wider than that, and
  /// keeps the cursor at its character.
  mutating func eraseAfterResize(columns: Int, rows: Int, reflows: Bool) -> [UInt8] {
    guard let frame = shown, !isPlain else {
      defer { shown = nil }
      return shown.map { _ in Array("\r\n".utf8) } ?? []
    }
    let heights = frame.rows.indices.map { row in
      reflows ? max(1, (frame.columns(ofRow: row) + columns - 1) / columns) : 1
    }
    var above = heights[..<frame.cursorRow].reduce(0, +)
    if reflows { above += frame.cursorColumn / columns }
    let total = max(heights.reduce(0, +), above + 1)
    let blank = Frame(rows: Array(repeating: [], count: min(total, rows)))
    var pen = Pen(isPlain: false, frame: blank)
    pen.row = min(above, blank.rows.count - 1)
    pen.column = -1
    for row in blank.rows.indices.reversed() { pen.clear(row: row, in: blank) }
    shown = nil
    return pen.bytes
  }
}
