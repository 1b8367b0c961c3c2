/// How a cluster takes part in the breaking of lines.
enum CellKind: UInt8 {
  /// A part of a word: no break beside it unless it must be.
  case word
  /// A blank to break at.
  case blank
  /// A blank that holds its neighbours together.
  case glue
  case newline
  /// May have a break on both sides, as CJK ideographs, kana and emoji.
  case ideograph
  /// Never begins a row, as `,` or `」`.
  case closer
  /// Never ends a row, as `「`.
  case opener
}

/// One cluster of a text, as far as wrapping is concerned.
struct TextCell {
  private let storedEnd: Int32
  private let storedColumn: Int32
  private let storedWidth: UInt16
  /// How it takes part in breaking.
  let kind: CellKind

  /// A cell; what is out of range is clamped.
  init(end: Int, column: Int, width: Int, kind: CellKind) {
    storedEnd = Int32(clamping: end)
    storedColumn = Int32(clamping: column)
    storedWidth = UInt16(clamping: width)
    self.kind = kind
  }

  /// Where it ends in the UTF-8 of the text.
  var end: Int { Int(storedEnd) }
  /// The columns before it, counted from the beginning of the text.
  var column: Int { Int(storedColumn) }
  /// Its columns.
  var width: Int { Int(storedWidth) }
}

/// A text cut into clusters; kept and loaded anew, so that its memory is used
/// again.
struct TextCells {
  /// The clusters, in order.
  private(set) var cells: [TextCell] = []
  /// The columns of all of them.
  private(set) var columns = 0

  /// Cuts `text` into clusters.
  mutating func load(_ text: String, measure: TextMeasure) {
    clear()
    let isDone = text.utf8.withContiguousStorageIfAvailable { loadSimple($0) }
    if isDone == true { return }
    clear()
    var end = 0
    var lineStart = 0
    for cluster in text {
      end += cluster.utf8.count
      var width = measure.columns(cluster)
      if cluster == "\t" {
        width = TextMeasure.tabWidth - (columns - lineStart) % TextMeasure.tabWidth
      }
      append(end: end, width: width, kind: Self.kind(of: cluster, width: width))
      if cluster.isNewline { lineStart = columns }
    }
  }

  private mutating func clear() {
    cells.removeAll(keepingCapacity: true)
    columns = 0
  }

  private mutating func append(end: Int, width: Int, kind: CellKind) {
    cells.append(TextCell(end: end, column: columns, width: width, kind: kind))
    columns += width
  }

  /// Loads a text whose scalars are all simple or newlines; false, with
  /// something loaded, for others.
  private mutating func loadSimple(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    cells.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] >= 0x20, bytes[index] < 0x7F {
        let kind = Self.kind(ofASCII: bytes[index])
        index += 1
        append(end: index, width: 1, kind: kind)
        continue
      }
      let (value, length) = decodedScalar(bytes, at: index)
      index += length
      if value == 0x0A {
        append(end: index, width: 0, kind: .newline)
      } else if let width = ScalarWidth.ofSimple(value) {
        append(end: index, width: width, kind: Self.kind(of: value, width: width))
      } else {
        return false
      }
    }
    return true
  }

  private static func kind(of cluster: Character, width: Int) -> CellKind {
    if cluster.isNewline { return .newline }
    guard let first = cluster.unicodeScalars.first else { return .word }
    let isLone = cluster.unicodeScalars.count == 1
    if isLone, ScalarKind(first) == .blank || first == "\t" {
      return [0xA0, 0x2007, 0x202F].contains(first.value) ? .glue : .blank
    }
    return kind(of: first.value, width: width)
  }

  @inline(__always)
  private static func kind(ofASCII byte: UInt8) -> CellKind {
    switch byte {
    case 0x20: .blank
    case 0x21, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D: .closer
    default: .word
    }
  }

  /// The kind of a cluster that begins with this scalar.
  private static func kind(of value: UInt32, width: Int) -> CellKind {
    switch value {
    case ..<0x80: return kind(ofASCII: UInt8(value))
    case 0xAC00...0xD7A3, ..<0x1100: return .word
    case 0x2019, 0x201D, 0x2026: return .closer
    case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7FB: return .word
    case 0x3001...0x30FF: return kindOfCJK(value)
    case 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF60:
      return .closer
    case 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F: return .opener
    default: return width == 2 ? .ideograph : .word
    }
  }

  /// The kinds of CJK punctuation and kana, after JIS X 4051: brackets, small
  /// kana and marks of length or repetition.
  private static func kindOfCJK(_ value: UInt32) -> CellKind {
    switch value {
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301D: .opener
    case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019,
      0x301E, 0x301F:
      .closer
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E: .closer
    case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE: .closer
    case 0x3095, 0x3096, 0x309B...0x309E, 0x30F5, 0x30F6, 0x30FB...0x30FE: .closer
    default: .ideograph
    }
  }
}

/// The scalar that begins at `index` in valid UTF-8, and its length in bytes.
@inline(__always)
func decodedScalar(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int) {
  let first = UInt32(bytes[index])
  func rest(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3F) }
  if first < 0x80 { return (first, 1) }
  if first < 0xE0 { return ((first & 0x1F) << 6 | rest(1), 2) }
  if first < 0xF0 { return ((first & 0x0F) << 12 | rest(1) << 6 | rest(2), 3) }
  return ((first & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3), 4)
}
