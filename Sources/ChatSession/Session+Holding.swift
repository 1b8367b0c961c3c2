internal import TerminalText

/// Rows that cannot be shown now.
extension Session {
  /// Whether rows cannot be shown now.
  var isHolding: Bool {
    isLent || settings.holdsArrivals && settings.style == .plain && !surface.line.isEmpty
  }

  /// Shows what waited, if it need wait no longer.
  func releaseHeld() {
    guard !isHolding else { return }
    let rows = held.take()
    if !rows.isEmpty { surface.show(rows) }
    resumeHeld()
    updatePrompt()
  }

  func resumeHeld() {
    for waiter in holdWaiters { waiter.resume() }
    holdWaiters = []
  }

  /// Returns when what waits has been shown.
  func waitUntilShown() async {
    guard isHolding else { return releaseHeld() }
    await withCheckedContinuation { holdWaiters.append($0) }
  }
}
