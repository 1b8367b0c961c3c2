internal import TransportSecurity

/// A picture in kitty's protocol: pixels in chunks, and the cells that it takes
/// (sw.kovidgoyal.net/kitty/graphics-protocol).
struct KittyPicture {
  /// How many bytes go into one chunk: 4096 characters of base64 at most.
  private static let chunkBytes = 3072
  /// Answers would be typed into the line: none is wanted (`q=2`).
  private static let quiet = "q=2"

  private let pixels: PixelSize
  private let columns: Int
  private let rows: Int
  /// RGBA.
  private let data: [UInt8]

  /// Reads what `chafa` writes; nil where it is anything else.
  init?(_ output: [UInt8], _ size: PictureSize) {
    var rest = output.withoutLineEnds
    guard let first = Self.takeChunk(&rest) else { return nil }
    var data = first.data
    while !rest.isEmpty {
      guard let chunk = Self.takeChunk(&rest), chunk.keys.names.isSubset(of: ["m"]) else {
        return nil
      }
      data += chunk.data
    }
    let keys = first.keys
    guard keys.number("f") == 32, let width = keys.number("s"), let height = keys.number("v"),
      let columns = keys.number("c"), let rows = keys.number("r"),
      size.holds(columns: columns, rows: rows), size.holds(PixelSize(width: width, height: height)),
      data.count == 4 * width * height
    else { return nil }
    (pixels, self.columns, self.rows) = (PixelSize(width: width, height: height), columns, rows)
    self.data = data
  }

  /// Takes one chunk, `ESC _ G keys ; base64 ESC \`. Each is padded for itself.
  private static func takeChunk(
    _ rest: inout ArraySlice<UInt8>
  ) -> (keys: GraphicsOutput.Keys, data: [UInt8])? {
    guard rest.drop("\u{1b}_G"), let end = rest.firstIndex(of: 0x1b) else { return nil }
    let body = rest[..<end]
    rest = rest[end...]
    guard rest.drop("\u{1b}\\") else { return nil }
    let semicolon = body.firstIndex(of: UInt8(ascii: ";")) ?? body.endIndex
    let text = GraphicsOutput.cleared(body[semicolon...].dropFirst())
    guard let data = Base64.decode(text) else { return nil }
    return (GraphicsOutput.Keys(body[..<semicolon], separator: UInt8(ascii: ",")), data)
  }

  /// Drawn where the cursor is, which stays there (`C=1`).
  func placed() -> Picture {
    let sequence = transmission("a=T,C=1,c=\(columns),r=\(rows)").joined()
    return GraphicsOutput.placed(sequence, rows: rows)
  }

  /// Drawn by characters that stand for its cells, which a multiplexer moves as
  /// it moves text; the pixels go past it.
  func placeholders() -> Picture? {
    guard rows <= Self.rowMarks.count else { return nil }
    let id = Self.id(of: data)
    let sent = transmission("a=T,U=1,i=\(id),c=\(columns),r=\(rows)")
      .map(GraphicsOutput.passedThrough).joined()
    let color = "\u{1b}[38;2;\(id >> 16 & 0xff);\(id >> 8 & 0xff);\(id & 0xff)m"
    let rows = (0..<rows).map { row in
      // Those behind the first are of the same row, each a column further.
      let cells =
        "\u{10eeee}\(Self.rowMarks[row])" + String(repeating: "\u{10eeee}", count: columns - 1)
      return color + cells + "\u{1b}[39m"
    }
    return Picture(rows: [sent + rows[0]] + rows[1...])
  }

  private func transmission(_ keys: String) -> [String] {
    var rest = data[...]
    var chunks: [String] = []
    let head = "\(keys),f=32,s=\(pixels.width),v=\(pixels.height),\(Self.quiet),"
    repeat {
      let chunk = Base64.encode(rest.prefix(Self.chunkBytes))
      rest = rest.dropFirst(Self.chunkBytes)
      let more = rest.isEmpty ? "m=0" : "m=1"
      let first = chunks.isEmpty ? head : "\(Self.quiet),"
      chunks.append("\u{1b}_G\(first)\(more);\(chunk)\u{1b}\\")
    } while !rest.isEmpty
    return chunks
  }

  /// A number for the picture that other pictures hardly have, of 24 bits, and
  /// never 0 (FNV-1a).
  private static func id(of data: [UInt8]) -> UInt32 {
    let hash = data.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return max(1, hash & 0xff_ffff)
  }

  /// How many rows can be numbered.
  static var maximumRows: Int { rowMarks.count }

  /// The marks that number rows (the protocol's rowcolumn-diacritics.txt).
  private static let rowMarks: [Unicode.Scalar] = [
    "\u{305}", "\u{30d}", "\u{30e}", "\u{310}", "\u{312}", "\u{33d}", "\u{33e}", "\u{33f}",
    "\u{346}", "\u{34a}", "\u{34b}", "\u{34c}", "\u{350}", "\u{351}", "\u{352}", "\u{357}",
    "\u{35b}", "\u{363}", "\u{364}", "\u{365}", "\u{366}", "\u{367}", "\u{368}", "\u{369}",
    "\u{36a}", "\u{36b}", "\u{36c}", "\u{36d}", "\u{36e}", "\u{36f}", "\u{483}", "\u{484}",
    "\u{485}", "\u{486}", "\u{487}", "\u{592}", "\u{593}", "\u{594}", "\u{595}", "\u{597}",
  ]
}
