internal import ChatModel
internal import ChatSession
internal import Glibc
internal import TerminalText

/// A bar on standard error that says how far a long job has come, how fast it
/// is, and how long it will take; nothing where that is no terminal.
@MainActor
struct Progress {
  private let total: Int64
  private let language: Language
  private let clock = ContinuousClock()
  private let begin: ContinuousClock.Instant
  private var shownAt: ContinuousClock.Instant?
  private var first: Int64?
  private var shownColumns = 0
  private let isShown = Output.error.isTerminal

  /// - Parameter total: the size of the whole job, in bytes.
  init(total: Int64, language: Language) {
    (self.total, self.language) = (total, language)
    begin = clock.now
  }

  /// Shows that `done` bytes are done, at most ten times a second.
  mutating func advance(to done: Int64) {
    guard isShown else { return }
    let now = clock.now
    let start = first ?? done
    first = start
    if let shownAt, now - shownAt < .milliseconds(100) { return }
    shownAt = now
    let rate = Double(done - start) / max(0.001, (now - begin) / .seconds(1))
    let left = rate > 0 ? Int(Double(total - done) / rate) : 0
    let width = 24
    let filled = total > 0 ? min(width, Int(done * Int64(width) / total)) : width
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let percent = total > 0 ? done * 100 / total : 100
    let remaining = language("\(left) s left", "\(left)초 남음")
    show("[\(bar)] \(percent)%  \(sizeText(Int64(rate)))/s  \(remaining)")
  }

  /// Takes the bar away.
  mutating func finish() {
    guard shownColumns > 0 else { return }
    show("")
    try? Output.error.write("\r")
  }

  /// Blanks cover what was there: a dumb terminal shows escapes as they are.
  private mutating func show(_ text: String) {
    let columns = TextMeasure().columns(text)
    let blanks = String(repeating: " ", count: max(0, shownColumns - columns))
    try? Output.error.write("\r" + text + blanks)
    shownColumns = columns
  }
}
