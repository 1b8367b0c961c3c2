internal import Dispatch

extension DispatchSourceSignal {
  /// Returns when Dispatch handles the signal. Before that the signal does what
  /// it does by default; were it ignored, one that comes now would be lost.
  func activateAndWait() async {
    await withCheckedContinuation { continuation in
      setRegistrationHandler { continuation.resume() }
      activate()
    }
  }
}
