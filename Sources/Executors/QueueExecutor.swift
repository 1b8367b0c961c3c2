package import Dispatch

/// Runs an actor on a queue of its own, so that its blocking calls (read,
/// flock, fdatasync) hold up no thread of the cooperative pool.
package final class QueueExecutor: SerialExecutor {
  /// The serial queue on which the actor runs; a Dispatch source that has it
  /// for its target queue may assume the actor's isolation.
  package let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
