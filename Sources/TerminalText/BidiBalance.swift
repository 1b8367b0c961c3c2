/// Replaces control characters and keeps bidirectional formatting balanced
/// (Unicode Standard Annex 9), scalar by scalar.
///
/// Every line is closed by itself: what is left open at its end would turn the
/// border, the next field or the next row around.
struct BidiBalance {
  private enum Opened {
    case embedding
    case isolate
    /// Shown instead of kept, so that its end is left out as well.
    case override
  }

  /// Deeper nesting than anyone writes is left out.
  private static let maximalDepth = 16

  private let mode: Neutralization
  private var open: [Opened] = []
  private var result = String.UnicodeScalarView()
  private var hasPendingReturn = false

  /// A balance for one text.
  init(mode: Neutralization) {
    self.mode = mode
  }

  /// Takes the next scalar of the text.
  mutating func take(_ scalar: Unicode.Scalar) {
    let endsReturn = hasPendingReturn && mode == .paragraph
    hasPendingReturn = false
    switch scalar.value {
    case 0x0A where endsReturn: break
    case 0x09: result.append(mode == .line ? " " : scalar)
    case 0x0A, 0x0D: takeNewline(scalar)
    case 0...0x1F: append(0x2400 + scalar.value)
    case 0x7F: append(0x2421)
    case 0x85, 0x2028, 0x2029: mode == .paragraph ? takeNewline(scalar) : show(scalar)
    case 0x80...0x9F: show(scalar)
    case 0x202A, 0x202B, 0x202D, 0x202E, 0x2066...0x2068: begin(scalar)
    case 0x202C: endEmbedding()
    case 0x2069: endIsolate()
    case 0xFDD0...0xFDEF: append(0xFFFD)
    case let value where value & 0xFFFE == 0xFFFE: append(0xFFFD)
    default: result.append(scalar)
    }
  }

  /// The text, with everything closed that was still open.
  mutating func finish() -> String {
    closeAll()
    return String(result)
  }

  private mutating func takeNewline(_ scalar: Unicode.Scalar) {
    guard mode == .paragraph else {
      append(0x2400 + scalar.value)
      return
    }
    hasPendingReturn = scalar == "\r"
    closeAll()
    result.append("\n")
  }

  private mutating func begin(_ scalar: Unicode.Scalar) {
    if scalar.value == 0x202D || scalar.value == 0x202E {
      show(scalar)
      if open.count < Self.maximalDepth { open.append(.override) }
      return
    }
    guard open.count < Self.maximalDepth else { return }
    open.append(scalar.value < 0x2066 ? .embedding : .isolate)
    result.append(scalar)
  }

  private mutating func endEmbedding() {
    guard let innermost = open.last, innermost != .isolate else { return }
    close(open.removeLast())
  }

  /// The end of an isolate ends what was begun within it, too.
  private mutating func endIsolate() {
    guard open.contains(.isolate) else { return }
    while let innermost = open.popLast() {
      close(innermost)
      if innermost == .isolate { break }
    }
  }

  private mutating func closeAll() {
    while let innermost = open.popLast() { close(innermost) }
  }

  private mutating func close(_ opened: Opened) {
    switch opened {
    case .embedding: append(0x202C)
    case .isolate: append(0x2069)
    case .override: break
    }
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    result.appendEach(of: notation(of: scalar).unicodeScalars)
  }

  private mutating func append(_ value: UInt32) {
    if let scalar = Unicode.Scalar(value) { result.append(scalar) }
  }
}
