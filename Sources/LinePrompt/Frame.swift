/// One grapheme cluster as the terminal shows it: what is written, how many
/// columns it takes, and the SGR sequences that are in force.
struct Cell: Equatable, Sendable {
  /// What is written. Empty only for a cell that carries nothing.
  var text: String
  /// Columns that the cluster takes; 0 for what joins the cell before it.
  var columns: Int
  /// SGR sequences (ECMA-48, 8.3.117) in force, in order; empty for none.
  var style = ""
}

/// What the prompt shows at one moment: its rows from the top, and the place
/// of the cursor in them. There is always at least one row.
struct Frame: Equatable, Sendable {
  /// The rows, none wider than the layout's width.
  var rows: [[Cell]] = [[]]
  /// Row of the cursor, counted from the top row of the prompt.
  var cursorRow = 0
  /// Column of the cursor, from 0.
  var cursorColumn = 0
  /// How many rows (plain: columns) lie before what is shown.
  var offset = 0

  /// Columns that row `index` takes.
  func columns(ofRow index: Int) -> Int {
    rows[index].reduce(0) { $0 + $1.columns }
  }

  /// The rows as text, for tests and for the eye.
  var text: [String] { rows.map { row in row.map(\.text).joined() } }
}
