import ChatSession
import LinePrompt

/// A prompt without a terminal: what is shown is recorded, and a test types.
@MainActor
final class RecordingPrompt: PromptSurface {
  let columns = 80
  var prompt = "" { didSet { changed() } }
  private(set) var line = ""
  var events = LinePrompt.Events()
  var completer: (CompletionRequest) -> CompletionReply = { _ in CompletionReply() }
  var isGone = false
  var showsPictures = false

  /// Every row that was shown, in order.
  private(set) var rows: [String] = []
  private(set) var history: [String] = []
  /// What was asked, and whether it was a secret.
  private(set) var asked: [(prompt: String, isSecret: Bool)] = []
  private var answering: CheckedContinuation<String?, Never>?
  private(set) var ringCount = 0
  private(set) var clearCount = 0
  private(set) var hideCount = 0
  private(set) var lendCount = 0
  private(set) var isLent = false
  private(set) var isRunning = false
  private var waiters: [(condition: () -> Bool, continuation: CheckedContinuation<Void, Never>)] =
    []

  func start() { isRunning = true }
  func stop() {
    isRunning = false
    answer(nil)
    changed()
  }
  func show(_ rows: [String]) {
    self.rows += rows
    changed()
  }
  func replaceLine(_ text: String) {
    line = text
    changed()
  }
  func addHistory(_ entry: String) { history.append(entry) }
  func clearScreen() { clearCount += 1 }
  func hideLine() { hideCount += 1 }
  func ring() { ringCount += 1 }
  func ask(_ prompt: String, isSecret: Bool) async -> String? {
    asked.append((prompt, isSecret))
    changed()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { answering = $0 }
    } onCancel: {
      Task { await self.answer(nil) }
    }
  }
  /// Answers the open question.
  func answer(_ text: String?) {
    answering?.resume(returning: text)
    answering = nil
  }
  func release() {
    (isLent, lendCount) = (true, lendCount + 1)
    changed()
  }
  func reclaim() {
    isLent = false
    changed()
  }

  /// Types a text in place of the line.
  func type(_ text: String) {
    line = text
    events.onLineChanged()
  }

  /// Types a text and presses Enter.
  func enter(_ text: String) {
    line = ""
    events.onLine(text)
  }

  /// Waits until it is so, or the test has taken too long.
  func wait(until condition: @escaping () -> Bool) async {
    if condition() { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiters.append((condition, $0)) }
    } onCancel: {
      Task { @MainActor in giveUp() }
    }
  }

  private func giveUp() {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.continuation.resume() }
  }

  /// Waits until a row has `text` in it.
  func wait(for text: String) async { await wait { self.count(text) > 0 } }

  /// In how many rows `text` is.
  func count(_ text: String) -> Int { rows.count { $0.contains(text) } }

  /// What Tab offers at the end of `line`, as the line that it would make.
  func completions(of line: String) -> [String] {
    let reply = completer(CompletionRequest(line: line, cursor: line.utf8.count))
    let kept = String(decoding: line.utf8.prefix(reply.range.lowerBound), as: UTF8.self)
    return reply.candidates.map { kept + $0.insert }
  }

  private func changed() {
    let ready = waiters.filter { $0.condition() }
    waiters.removeAll { $0.condition() }
    for waiter in ready { waiter.continuation.resume() }
  }
}
