internal import Synchronization
internal import Transport

/// Prints what becomes of each promise, and counts those that are broken.
final class PluginTally: Sendable {
  private let count = Mutex(0)

  var brokenCount: Int { count.withLock(\.self) }

  func note(_ finding: PluginCheck.Finding) {
    let line: String
    switch finding.outcome {
    case .kept: line = "ok      \(finding.promise)"
    case .notOffered: line = "-       \(finding.promise) (not offered)"
    case .broken(let reason):
      count.withLock { $0 += 1 }
      line = "BROKEN  \(finding.promise): \(reason)"
    }
    try? Output.standard.write(Output.standard.inert(line) + "\n")
  }
}
