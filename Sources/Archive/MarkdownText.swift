/// `text` as Markdown that shows just that.
///
/// A backslash stands before all that has a meaning in CommonMark 0.30, or in
/// the tables, strikethroughs and formulas that many renderers add. Blanks that
/// a renderer would leave out become such as are not to be broken.
func markdown(_ text: String) -> String {
  var result: [UInt8] = []
  var place = LinePlace.start
  var previous = UInt8(ascii: "\n")
  var rest = Substring(text).utf8
  while let byte = rest.popFirst() {
    let isLineEnd = rest.first.map { $0 == UInt8(ascii: "\n") } ?? true
    switch Unicode.Scalar(byte) {
    case "\n": result.write("\\\n")
    case " " where isLineEnd || previous == byte || previous == UInt8(ascii: "\n"):
      result.write("&nbsp;")
    case let character where isSignificant(character, place):
      result.append(contentsOf: [UInt8(ascii: "\\"), byte])
    default: result.append(byte)
    }
    place = place.after(byte)
    previous = byte
  }
  return String(decoding: result, as: UTF8.self)
}

/// How far a line has come.
private enum LinePlace {
  /// Nothing but blanks so far.
  case start
  /// Only digits so far, which may be the number in a list.
  case digits
  case middle

  func after(_ byte: UInt8) -> LinePlace {
    switch (self, Unicode.Scalar(byte)) {
    case (_, "\n"), (.start, " "): .start
    case (.start, "0"..."9"), (.digits, "0"..."9"): .digits
    default: .middle
    }
  }
}

/// Whether a character means something where it stands.
private func isSignificant(_ character: Unicode.Scalar, _ place: LinePlace) -> Bool {
  switch character {
  case "\\", "`", "*", "_", "[", "]", "<", ">", "&", "~", "|", "$", "#": true
  case "+", "-", "=", ":": place == .start
  case ".", ")": place == .digits
  default: false
  }
}
