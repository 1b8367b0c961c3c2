/// The value of a task, or nil when it takes longer than that; it then goes on
/// by itself.
@MainActor
func firstValue<Value: Sendable>(
  of task: Task<Value?, Never>, within duration: Duration
) async -> Value? {
  await withCheckedContinuation { continuation in
    var waiting: CheckedContinuation<Value?, Never>? = continuation
    func finish(_ value: Value?) {
      waiting?.resume(returning: value)
      waiting = nil
    }
    let timer = Task {
      try? await Task.sleep(for: duration)
      finish(nil)
    }
    Task {
      finish(await task.value)
      timer.cancel()
    }
  }
}
