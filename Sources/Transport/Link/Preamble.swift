/// What comes before the far side's `welcome` and is not the protocol: banners
/// and whatever a login's start-up files print. It is passed over, up to 64
/// KiB of it.
struct Preamble {
  private static let limitInBytes = 64 * 1024
  private var count = 0
  /// The last line that says something, shortened: often the reason why no
  /// `welcome` comes.
  private(set) var lastLine: String?

  var isTooLong: Bool { count > Self.limitInBytes }

  mutating func add(_ line: UnsafeRawBufferPointer) {
    count += line.count + 1
    let text = String(decoding: line.prefix(400), as: UTF8.self)
    if text.contains(where: { !$0.isWhitespace }) { lastLine = String(text.prefix(200)) }
  }
}
