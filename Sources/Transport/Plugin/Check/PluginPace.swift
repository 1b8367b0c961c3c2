internal import Synchronization

/// How quickly a plugin answers, and so how long what it does not answer is
/// waited for: ten times as long as its slowest answer took.
final class PluginPace: Sendable {
  private struct State {
    var slowest = Duration.zero
    var hasAnswered = false
    var hasBeenSilent = false
  }

  private let state = Mutex(State())

  private static let shortest = Duration.seconds(2)
  private static let longest = Duration.seconds(10)

  var patience: Duration {
    state.withLock { state in
      // One that has never answered is waited for once.
      guard state.hasAnswered else { return state.hasBeenSilent ? Self.shortest : Self.longest }
      return min(max(state.slowest * 10, Self.shortest), Self.longest)
    }
  }

  func note(_ time: Duration) {
    state.withLock { state in
      state.hasAnswered = true
      state.slowest = max(state.slowest, time)
    }
  }

  func noteSilence() {
    state.withLock { $0.hasBeenSilent = true }
  }
}
