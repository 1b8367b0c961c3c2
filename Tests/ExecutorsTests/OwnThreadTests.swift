import Dispatch
import Executors
import Testing

struct OwnThreadTests {
  /// More than there are threads for all of Dispatch's queues together.
  private static let count = 300

  @Test func `what waits holds up nothing else`() {
    let (started, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<Self.count {
      runOnOwnThread {
        started.signal()
        end.wait()
      }
    }
    let patience = DispatchTime.now() + .seconds(30)
    let startedCount = (0..<Self.count).count { _ in started.wait(timeout: patience) == .success }
    for _ in 0..<Self.count { end.signal() }
    #expect(startedCount == Self.count)
  }
}
