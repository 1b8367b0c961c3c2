internal import CPosix
internal import Dispatch
internal import Glibc

/// Runs something that waits, perhaps for long, on a thread of its own:
/// Dispatch's threads are few, and whoever waits in one holds up the others
/// (pthread_create(3)).
package func runOnOwnThread(_ body: @escaping @Sendable () -> Void) {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  let work = Unmanaged.passRetained(Work(body))
  var thread = pthread_t()
  let status = pthread_create(
    &thread, &attributes,
    { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, work.toOpaque())
  guard status != 0 else { return }
  work.release()
  DispatchQueue.global().async(execute: body)
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
