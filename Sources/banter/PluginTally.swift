internal import ChatSession
internal import Synchronization
internal import TerminalText
internal import Transport

/// Prints what becomes of each promise, and counts those that are broken.
final class PluginTally: Sendable {
  private let language: Language
  private let count = Mutex(0)

  init(_ language: Language) {
    self.language = language
  }

  var brokenCount: Int { count.withLock(\.self) }

  func note(_ finding: PluginCheck.Finding) {
    let promise = language(LocalizedText(notice: finding.promise))
    let line: String
    switch finding.outcome {
    case .kept: line = language("ok      \(promise)", "지킴    \(promise)")
    case .notOffered:
      line = language("-       \(promise) (not offered)", "-       \(promise) (제공하지 않음)")
    case .broken(let reason):
      count.withLock { $0 += 1 }
      let reason = language(LocalizedText(notice: reason))
      line = language("BROKEN  \(promise): \(reason)", "어김    \(promise): \(reason)")
    }
    try? Output.standard.write(Output.standard.inert(line) + "\n")
  }
}
