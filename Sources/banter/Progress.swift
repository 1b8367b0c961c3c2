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
    let seconds = max(
      0.001,
      Double((now - begin).components.seconds) + Double((now - begin).components.attoseconds) / 1e18
    )
    let rate = Double(done - start) / seconds
    let left = rate > 0 ? Int(Double(total - done) / rate) : 0
    let width = 24
    let filled = total > 0 ? min(width, Int(done * Int64(width) / total)) : width
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    let percent = total > 0 ? done * 100 / total : 100
    let remaining = language("\(left) s left", "\(left)초 남음")
    try? Output.error.write(
      "\r[\(bar)] \(percent)%  \(sizeText(Int64(rate)))/s  \(remaining)\u{1b}[K")
  }

  /// Takes the bar away.
  func finish() {
    if isShown { try? Output.error.write("\r\u{1b}[K") }
  }
}
