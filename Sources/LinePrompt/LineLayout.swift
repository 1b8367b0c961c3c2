/// Lays the prompt and the typed line out for a window: by grapheme cluster,
/// in rows one column narrower than the window (so that no terminal is ever in
/// its state of a pending wrap), and in at most the window's rows less one
/// around the cursor. Pure: knows neither readline nor a terminal.
struct LineLayout {
  /// Columns of the window, at least 1.
  let columns: Int
  /// Rows of the window, at least 1.
  let rows: Int
  /// How clusters are shown.
  let glyphs: Glyphs

  /// Columns that a row may take.
  var width: Int { max(1, columns - 1) }

  /// The frame for `line`, UTF-8, with the cursor before the byte at `point`.
  /// `offset` is the last frame's: what is shown moves no more than it must.
  func frame(prompt: [Cell], line: [UInt8], point: Int, offset: Int = 0) -> Frame {
    let part = LinePart(of: line, around: point, reach: max(16384, 4 * columns * rows))
    let prompt = part.isFromStart ? prompt : []
    let pieces = self.pieces(prompt: prompt, part: part)
    if glyphs.isPlain { return singleRow(pieces, offset: offset) }
    return window(flow(pieces), offset: offset)
  }

  /// A glyph on its way into a row.
  private struct Piece {
    var glyph: (String, Int)
    var style = ""
    var hasCursor = false
  }

  private func pieces(prompt: [Cell], part: LinePart) -> [Piece] {
    var pieces = prompt.map { Piece(glyph: ($0.text, $0.columns), style: $0.style) }
    var byte = 0
    var isPlaced = false
    for cluster in part.text {
      let end = byte + cluster.utf8.count
      // A point inside a cluster is shown at the cluster's start.
      let hasCursor = !isPlaced && part.point < end
      isPlaced = isPlaced || hasCursor
      pieces.append(Piece(glyph: glyphs.glyph(cluster), hasCursor: hasCursor))
      byte = end
    }
    // The end of the line is a piece too: the cursor may stand there.
    pieces.append(Piece(glyph: ("", 0), hasCursor: !isPlaced))
    return pieces
  }

  /// Wraps the pieces into rows, however many that makes.
  private func flow(_ pieces: [Piece]) -> Frame {
    var frame = Frame()
    var column = 0
    for piece in pieces {
      let isNewline = piece.glyph.0 == "\n"
      var cell = glyphs.cell(piece.glyph, style: piece.style, column: column, width: width)
      let isEnd = piece.glyph.0.isEmpty || isNewline
      if column + cell.columns > width || (isEnd && column >= columns) {
        frame.rows.append([])
        column = 0
        cell = glyphs.cell(piece.glyph, style: piece.style, column: 0, width: width)
      }
      if piece.hasCursor {
        frame.cursorRow = frame.rows.count - 1
        frame.cursorColumn = column
      }
      if isNewline {
        frame.rows.append([])
        column = 0
      } else if !cell.text.isEmpty {
        frame.rows[frame.rows.count - 1].append(cell)
        column += cell.columns
      }
    }
    return frame
  }

  /// The rows around the cursor, when not all fit.
  private func window(_ frame: Frame, offset: Int) -> Frame {
    let limit = max(1, rows - 1)
    guard frame.rows.count > limit else { return frame }
    var top = min(offset, frame.rows.count - limit)
    if frame.cursorRow < top { top = frame.cursorRow }
    if frame.cursorRow >= top + limit { top = frame.cursorRow - limit + 1 }
    var result = frame
    result.rows = Array(frame.rows[top..<(top + limit)])
    result.cursorRow = frame.cursorRow - top
    result.offset = top
    return result
  }

  /// One row, moved sideways: all that a dumb terminal can redraw.
  private func singleRow(_ pieces: [Piece], offset: Int) -> Frame {
    var cells: [(cell: Cell, start: Int)] = []
    var column = 0
    var cursor = 0
    for piece in pieces {
      if piece.hasCursor { cursor = column }
      var cell = glyphs.cell(piece.glyph, style: "", column: column, width: max(column + 8, width))
      if cell.columns > width { cell = Cell(text: "?", columns: 1) }
      guard !cell.text.isEmpty, cell.columns > 0 || !cells.isEmpty else { continue }
      cells.append((cell, column))
      column += cell.columns
    }
    let left = leftEdge(cursor: cursor, total: column, offset: offset)
    let shown = cells.filter { $0.start >= left && $0.start + $0.cell.columns <= left + width }
    let first = shown.first?.start ?? cursor
    return Frame(
      rows: [shown.map(\.cell)], cursorRow: 0, cursorColumn: max(0, cursor - first), offset: left)
  }

  /// The first column shown: moved by two thirds of the row when it must, so
  /// that typing at the right edge does not redraw the row at each key.
  private func leftEdge(cursor: Int, total: Int, offset: Int) -> Int {
    if total <= width { return 0 }
    let room = width == 1 ? 1 : width - 1
    if cursor >= offset, cursor <= offset + room { return offset }
    return max(0, cursor - width / 3)
  }
}
