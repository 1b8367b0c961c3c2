/// Reads what the decoder has made. It has worked on bytes of strangers: only
/// what draws a picture goes through, and nothing that a terminal would answer.
enum GraphicsOutput {
  /// The rows of a picture; nil where it is none.
  static func picture(
    _ output: [UInt8], as kind: GraphicsProtocol, cell: PixelSize, isInside: Bool
  ) -> Picture? {
    switch kind {
    case .blocks: TextPicture.rows(output).map { Picture(rows: $0) }
    case .kitty:
      isInside
        ? KittyPicture(output)?.placeholders() : KittyPicture(output)?.placed()
    case .iterm: iterm(output).map { placed($0.0, rows: $0.rows, isInside: isInside) }
    case .sixel: sixel(output, cell).map { placed($0.0, rows: $0.rows, isInside: isInside) }
    case .none: nil
    }
  }

  /// Makes room for a picture, draws it from the first row on, and leaves the
  /// cursor in the last one: terminals do not agree where it is afterwards.
  static func placed(_ sequence: String, rows: Int, isInside: Bool = false) -> Picture {
    let sequence = isInside ? passedThrough(sequence) : sequence
    let up = rows > 1 ? "\u{1b}[\(rows - 1)A" : ""
    let down = rows > 1 ? "\u{1b}[\(rows - 1)B" : ""
    let last = "\(up)\r\u{1b}7\(sequence)\u{1b}8\(down)"
    return Picture(rows: Array(repeating: "", count: rows - 1) + [last])
  }

  /// A sequence in tmux's envelope, for the terminal around it (tmux(1),
  /// allow-passthrough). Sixels are tmux's own affair.
  static func passedThrough(_ sequence: String) -> String {
    "\u{1b}Ptmux;" + sequence.replacing("\u{1b}", with: "\u{1b}\u{1b}") + "\u{1b}\\"
  }

  /// `ESC ] 1337 ; File = … : base64 BEL`.
  private static func iterm(_ output: [UInt8]) -> (String, rows: Int)? {
    let text = String(decoding: output, as: UTF8.self).trimmingNewlines
    guard text.hasPrefix("\u{1b}]1337;File="), text.hasSuffix("\u{7}"),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let parameters = text[..<colon].dropFirst("\u{1b}]1337;File=".count)
    let data = text[text.index(after: colon)...].dropLast()
    let keys = Keys(parameters, separator: ";")
    guard let width = keys.number("width"), let rows = keys.number("height"), isBase64(data),
      (1...1000).contains(width), (1...1000).contains(rows)
    else { return nil }
    let head = "\u{1b}]1337;File=inline=1;width=\(width);height=\(rows);preserveAspectRatio=0:"
    return (head + data + "\u{7}", rows)
  }

  /// `ESC P … q " 1 ; 1 ; width ; height data ESC \`.
  private static func sixel(_ output: [UInt8], _ cell: PixelSize) -> (String, rows: Int)? {
    let text = String(decoding: output, as: UTF8.self).trimmingNewlines
    guard text.hasPrefix("\u{1b}P"), text.hasSuffix("\u{1b}\\") else { return nil }
    let body = text.dropFirst(2).dropLast(2)
    guard let q = body.firstIndex(of: "q") else { return nil }
    let data = body[body.index(after: q)...]
    // Data, colours, repeats, line ends and the raster's size.
    let isData = data.utf8.allSatisfy {
      (0x3f...0x7e).contains($0) || (0x30...0x3b).contains($0) || "\"#!$-\n".utf8.contains($0)
    }
    let isHead = body[..<q].utf8.allSatisfy { (0x30...0x3b).contains($0) }
    guard isData, isHead, data.hasPrefix("\"") else { return nil }
    let raster = data.dropFirst().prefix { $0.isNumber || $0 == ";" }.split(separator: ";")
    guard raster.count == 4, let height = Int(raster[3]), (1...100_000).contains(height) else {
      return nil
    }
    return (String(text), (height + cell.height - 1) / cell.height)
  }

  static func isBase64(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
        || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=")
    }
  }

  /// `name=value` pairs.
  struct Keys {
    private var values: [Substring: Int] = [:]

    init(_ text: some StringProtocol, separator: Character) {
      for pair in Substring(text).split(separator: separator) {
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { continue }
        values[parts[0]] = Int(parts[1])
      }
    }

    func number(_ name: Substring) -> Int? { values[name] }
  }
}

extension String {
  fileprivate var trimmingNewlines: Substring {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
