/// Where the cursor is while a frame is painted, and the bytes so far.
struct Pen {
  /// Whether no escape sequence may be written.
  let isPlain: Bool
  /// What has been written.
  private(set) var bytes: [UInt8] = []
  /// Row of the cursor in the prompt.
  var row: Int
  /// Column of the cursor; -1 when it is not known.
  var column: Int
  private var lastRow: Int
  private var style = ""

  init(isPlain: Bool, frame: Frame) {
    self.isPlain = isPlain
    row = frame.cursorRow
    column = frame.cursorColumn
    lastRow = frame.rows.count - 1
  }

  /// Adds an empty row below the last one; the terminal scrolls if it must.
  mutating func addRow() {
    goDown(to: lastRow)
    put("\r\n")
    if !isPlain { put("\u{1B}[K") }
    lastRow += 1
    row = lastRow
    column = 0
  }

  /// Writes what turns `old` into `new` in `row`, and nothing else.
  mutating func change(row: Int, from old: [Cell], to new: [Cell]) {
    guard old != new else { return }
    var first = zip(old, new).prefix { $0 == $1 }.count
    // What takes no columns joins the cell before it: write that one anew.
    while first > 0, Self.isJoined(old, first) || Self.isJoined(new, first) { first -= 1 }
    let start = Self.columns(new[..<first])
    let oldEnd = Self.columns(old[...])
    let newEnd = Self.columns(new[...])
    var end = new.count
    if oldEnd == newEnd, old.count == new.count {
      while end > first, old[end - 1] == new[end - 1] { end -= 1 }
      while end < new.count, new[end].columns == 0 { end += 1 }
    }
    move(toRow: row, column: start, in: Frame(rows: Array(repeating: new, count: row + 1)))
    write(new[first..<end])
    if oldEnd > newEnd { clearTail(oldEnd - newEnd) }
  }

  /// Clears a row and leaves the cursor in it.
  mutating func clear(row: Int, in frame: Frame) {
    goTo(row: row)
    if isPlain {
      if column != 0 { put("\r") }
      column = 0
      clearTail(frame.columns(ofRow: row))
      put("\r")
    } else {
      put("\r\u{1B}[K")
    }
    column = 0
  }

  /// Moves the cursor; `frame` tells what stands in the row, for going right
  /// by writing it once more.
  mutating func move(toRow target: Int, column goal: Int, in frame: Frame) {
    goTo(row: target)
    guard column != goal else { return }
    if goal == 0 {
      put("\r")
    } else if column >= 0, goal < column, isPlain || column - goal < 4 {
      put(String(repeating: "\u{08}", count: column - goal))
    } else if goal < column || column < 0 {
      put("\r")
      column = 0
      goRight(to: goal, row: frame.rows[min(target, frame.rows.count - 1)])
    } else {
      goRight(to: goal, row: frame.rows[min(target, frame.rows.count - 1)])
    }
    column = goal
  }

  private mutating func goRight(to goal: Int, row: [Cell]) {
    if isPlain || goal - column < 4, let cells = Self.cells(row, from: column, to: goal) {
      write(cells)
    } else {
      put("\u{1B}[\(goal - column)C")
    }
  }

  private mutating func goTo(row target: Int) {
    if target < row {
      put(row - target == 1 ? "\u{1B}[A" : "\u{1B}[\(row - target)A")
      row = target
    } else {
      goDown(to: target)
    }
  }

  private mutating func goDown(to target: Int) {
    guard target > row else { return }
    put("\r")
    put(String(repeating: "\n", count: target - row))
    row = target
    column = 0
  }

  private mutating func write(_ cells: ArraySlice<Cell>) {
    for cell in cells {
      if cell.style != style {
        if !style.isEmpty { put("\u{1B}[0m") }
        put(cell.style)
        style = cell.style
      }
      put(cell.text)
      column += cell.columns
    }
    if !style.isEmpty { put("\u{1B}[0m") }
    style = ""
    // Terminals differ on clusters of several scalars: say where we are.
    if !isPlain, cells.contains(where: { $0.columns > 0 && $0.text.unicodeScalars.count > 2 }) {
      put(column == 0 ? "\r" : "\r\u{1B}[\(column)C")
    }
  }

  private mutating func clearTail(_ columns: Int) {
    guard columns > 0 else { return }
    if isPlain {
      put(String(repeating: " ", count: columns))
      column += columns
    } else {
      put("\u{1B}[K")
    }
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func isJoined(_ row: [Cell], _ index: Int) -> Bool {
    index < row.count && row[index].columns == 0
  }

  private static func columns(_ cells: ArraySlice<Cell>) -> Int {
    cells.reduce(0) { $0 + $1.columns }
  }

  /// The cells that stand between two columns; nil when they do not begin and
  /// end there.
  private static func cells(_ row: [Cell], from: Int, to: Int) -> ArraySlice<Cell>? {
    var column = 0
    var start: Int?
    for (index, cell) in row.enumerated() {
      if column == from, start == nil { start = index }
      if column == to, let start { return row[start..<index] }
      column += cell.columns
    }
    guard column == to, let start else { return nil }
    return row[start...]
  }
}
