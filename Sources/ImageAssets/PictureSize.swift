/// How much room a picture may take on the screen, and how large a cell is.
package struct PictureSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int
  package var cell: PixelSize

  /// What a cell is taken for where nobody knows.
  package static let usualCell = PixelSize(width: 10, height: 20)

  /// - Parameters:
  ///   - columns, rows: at least 1 counts.
  ///   - cell: nil where the terminal has not said.
  package init(columns: Int, rows: Int, cell: PixelSize? = nil) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.cell = cell ?? Self.usualCell
  }

  /// As many cells as an image takes when it is not made larger.
  func limited(to image: PixelSize, inCellsOf pixels: PixelSize) -> PictureSize {
    func count(_ length: Int, _ cell: Int) -> Int { (max(1, length) - 1) / max(1, cell) + 1 }
    return PictureSize(
      columns: min(columns, count(image.width, pixels.width)),
      rows: min(rows, count(image.height, pixels.height)), cell: cell)
  }

  /// So many pixels are enough for a picture that the terminal makes as large as
  /// its cells itself: they go over the line as they are.
  private static let sentPixels = 300_000

  /// Takes cells for smaller than they are, with the same shape.
  mutating func limitPixels() {
    let shape = cell
    var divisor = 1
    while divisor < 16, columns * rows * cell.width * cell.height > Self.sentPixels {
      divisor += 1
      cell = PixelSize(
        width: max(1, shape.width / divisor), height: max(1, shape.height / divisor))
    }
  }
}
