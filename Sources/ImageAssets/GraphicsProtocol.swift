/// How a terminal shows a picture.
package enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  /// kitty's (sw.kovidgoyal.net/kitty/graphics-protocol).
  case kitty
  /// iTerm2's inline images (iterm2.com/documentation-images.html).
  case iterm
  /// DEC's sixels (VT330/VT340 Programmer Reference Manual, chapter 14).
  case sixel
  /// Half blocks in colours.
  case blocks
  /// Nothing but a line of text.
  case none
}

/// What a terminal has said of the pictures that it can show.
package struct GraphicsAbilities: Hashable, Sendable {
  package var hasKitty = false
  package var hasITerm = false
  package var hasSixel = false
  /// How large a cell is, where the terminal has said so.
  package var cell: PixelSize?
  /// Whether the last of the answers has come.
  package private(set) var isComplete = false

  package init() {}

  /// What asks a terminal all of it: whether it takes kitty's pictures, its name
  /// (XTVERSION), the size of a cell, and its attributes (DA1), which every
  /// terminal answers, after everything else (xterm control sequences).
  /// - Parameter isInside: whether a multiplexer is between, which takes kitty's
  ///   question for a title.
  package static func question(isInside: Bool) -> String {
    let kitty = isInside ? "" : "\u{1b}_Gi=4207,s=1,v=1,a=q,t=d,f=24;AAAA\u{1b}\\"
    return kitty + "\u{1b}[>q\u{1b}[16t\u{1b}[c"
  }

  /// Takes one answer: a whole sequence, as it came. What is none is passed
  /// over.
  package mutating func take(_ reply: [UInt8]) {
    guard reply.count > 2, reply[0] == 0x1b else { return }
    let body = String(decoding: reply[2...], as: UTF8.self)
    switch reply[1] {
    case UInt8(ascii: "_"): hasKitty = hasKitty || body.hasPrefix("Gi=4207;OK")
    case UInt8(ascii: "P"): takeName(body)
    case UInt8(ascii: "["): takeReport(body)
    default: break
    }
  }

  private mutating func takeName(_ body: String) {
    guard body.hasPrefix(">|") else { return }
    let name = body.dropFirst(2)
    hasITerm = hasITerm || name.hasPrefix("iTerm2") || name.hasPrefix("WezTerm")
  }

  private mutating func takeReport(_ body: String) {
    let numbers = body.dropLast().drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
    if body.hasPrefix("?"), body.hasSuffix("c") {
      // The first number is the terminal's class.
      hasSixel = hasSixel || numbers.dropFirst().contains(4)
      isComplete = true
    } else if body.hasSuffix("t"), numbers.count == 3, numbers[0] == 6,
      (1...200).contains(numbers[1]), (1...200).contains(numbers[2])
    {
      cell = PixelSize(width: numbers[2], height: numbers[1])
    }
  }

  /// The best that it can.
  /// - Parameter isInside: whether a multiplexer is between, whose own abilities
  ///   these are.
  package func best(isInside: Bool) -> GraphicsProtocol {
    if hasKitty, !isInside { return .kitty }
    if hasITerm, !isInside { return .iterm }
    return hasSixel ? .sixel : .blocks
  }
}
