/// A picture in kitty's protocol: pixels in chunks, and the cells that it takes
/// (sw.kovidgoyal.net/kitty/graphics-protocol).
struct KittyPicture {
  /// How many bytes one chunk has at most.
  private static let chunkBytes = 4096
  /// Answers would be typed into the line: none is wanted (`q=2`).
  private static let quiet = "q=2"

  private let pixels: PixelSize
  private let columns: Int
  private let rows: Int
  /// RGBA, in base64.
  private let data: String

  /// Reads what `chafa` writes; nil where it is anything else.
  init?(_ output: [UInt8]) {
    let text = String(decoding: output, as: UTF8.self)
    var keys: GraphicsOutput.Keys?
    var data = ""
    for part in text.split(separator: "\u{1b}\\") {
      let part = part.drop { $0.isNewline }
      if part.isEmpty { continue }
      guard part.hasPrefix("\u{1b}_G") else { return nil }
      let body = part.dropFirst(3)
      let end = body.firstIndex(of: ";") ?? body.endIndex
      keys = keys ?? GraphicsOutput.Keys(body[..<end], separator: ",")
      data += body[end...].dropFirst()
    }
    guard let keys, keys.number("f") == 32, let width = keys.number("s"),
      let height = keys.number("v"), let columns = keys.number("c"), let rows = keys.number("r"),
      (1...1000).contains(columns), (1...1000).contains(rows), width > 0, height > 0,
      !data.isEmpty, GraphicsOutput.isBase64(data)
    else { return nil }
    (pixels, self.columns, self.rows) = (PixelSize(width: width, height: height), columns, rows)
    self.data = data
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
      let chunk = rest.prefix(Self.chunkBytes)
      rest = rest.dropFirst(chunk.count)
      let more = rest.isEmpty ? "m=0" : "m=1"
      let first = chunks.isEmpty ? head : "\(Self.quiet),"
      chunks.append("\u{1b}_G\(first)\(more);\(chunk)\u{1b}\\")
    } while !rest.isEmpty
    return chunks
  }

  /// A number for the picture that other pictures hardly have, of 24 bits, and
  /// never 0 (FNV-1a).
  private static func id(of data: String) -> UInt32 {
    let hash = data.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return max(1, hash & 0xff_ffff)
  }

  /// The marks that number rows (the protocol's rowcolumn-diacritics.txt).
  private static let rowMarks: [Unicode.Scalar] = [
    "\u{305}", "\u{30d}", "\u{30e}", "\u{310}", "\u{312}", "\u{33d}", "\u{33e}", "\u{33f}",
    "\u{346}", "\u{34a}", "\u{34b}", "\u{34c}", "\u{350}", "\u{351}", "\u{352}", "\u{357}",
    "\u{35b}", "\u{363}", "\u{364}", "\u{365}", "\u{366}", "\u{367}", "\u{368}", "\u{369}",
    "\u{36a}", "\u{36b}", "\u{36c}", "\u{36d}", "\u{36e}", "\u{36f}", "\u{483}", "\u{484}",
    "\u{485}", "\u{486}", "\u{487}", "\u{592}", "\u{593}", "\u{594}", "\u{595}", "\u{597}",
  ]
}
