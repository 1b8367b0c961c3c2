/// A picture in sixels: `ESC P … q " 1 ; 1 ; width ; height data ESC \` (VT330/
/// VT340 Programmer Reference Manual, chapter 14).
struct SixelPicture {
  /// How many pixels one row of sixels is high.
  private static let band = 6

  private let head: ArraySlice<UInt8>
  private let data: ArraySlice<UInt8>
  private let rows: Int

  /// Reads what `chafa` writes; nil where it is anything else, or draws beyond
  /// the size that it tells.
  init?(_ output: [UInt8], _ size: PictureSize) {
    var rest = output.withoutLineEnds
    guard rest.drop("\u{1b}P"), rest.suffix(2).elementsEqual([0x1b, 0x5c]) else { return nil }
    rest.removeLast(2)
    let head = rest.prefix { (0x30...0x3b).contains($0) }
    rest.removeFirst(head.count)
    // The data do not end with a line end: it would scroll a picture at the
    // bottom of the window.
    guard rest.drop("q") else { return nil }
    while let last = rest.last, last == 0x0a || last == UInt8(ascii: "-") { rest.removeLast() }
    data = rest
    guard rest.drop("\""), let pixels = Self.takeSize(&rest), size.holds(pixels),
      Self.isDrawing(rest, within: pixels)
    else { return nil }
    self.head = head
    rows = (pixels.height + size.cell.height - 1) / size.cell.height
  }

  func placed() -> Picture {
    let parts = String(decoding: head + [UInt8(ascii: "q")] + data, as: UTF8.self)
    return GraphicsOutput.placed("\u{1b}P\(parts)\u{1b}\\", rows: rows)
  }

  /// The raster's attributes: the shape of a pixel, which is square, and how
  /// many there are.
  private static func takeSize(_ rest: inout ArraySlice<UInt8>) -> PixelSize? {
    var numbers: [Int] = []
    repeat {
      guard let number = rest.takeNumber() else { return nil }
      numbers.append(number)
    } while rest.drop(";")
    guard numbers.count == 4, numbers[0] == 1, numbers[1] == 1 else { return nil }
    return PixelSize(width: numbers[2], height: numbers[3])
  }

  /// Whether there is nothing but sixels, colours, repeats and line ends, all
  /// of it inside of the picture.
  private static func isDrawing(
    _ data: ArraySlice<UInt8>, within size: PixelSize
  ) -> Bool {
    var rest = data
    var (x, y) = (0, 0)
    while let byte = rest.popFirst() {
      switch byte {
      case 0x3f...0x7e: x += 1
      case UInt8(ascii: "!"):
        guard let count = rest.takeNumber(), let sixel = rest.popFirst(),
          (0x3f...0x7e).contains(sixel)
        else { return false }
        x += count
      case UInt8(ascii: "#"): rest = rest.drop { (0x30...0x3b).contains($0) }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, y) = (0, y + band)
      case 0x0a: break
      default: return false
      }
      guard x <= size.width, y < size.height else { return false }
    }
    return true
  }
}
