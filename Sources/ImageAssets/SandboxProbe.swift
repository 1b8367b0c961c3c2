/// Finds out whether there is a sandbox, and remembers it: that there is one for
/// good, that there is none for a while.
package actor SandboxProbe {
  private static let pause = Duration.seconds(30)

  private let environment: [String: String]
  private let now: @Sendable () -> ContinuousClock.Instant
  private var found: (sandbox: Sandbox, until: ContinuousClock.Instant?)?
  private var asking: Task<Result<Sandbox, ImageFailure>, Never>?

  package init(
    _ environment: [String: String],
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.environment, self.now) = (environment, now)
  }

  /// - Throws: where that cannot be found out now, see
  ///   ``Sandbox/available(_:seconds:)``; it is tried again the next time.
  package func sandbox() async throws(ImageFailure) -> Sandbox {
    if let found, found.until.map({ now() < $0 }) ?? true { return found.sandbox }
    let task = asking ?? Task { await ask() }
    asking = task
    return try await task.value.get()
  }

  private func ask() async -> Result<Sandbox, ImageFailure> {
    defer { asking = nil }
    do throws(ImageFailure) {
      let sandbox = try await Sandbox.available(environment)
      found = (sandbox, sandbox == .none ? now() + Self.pause : nil)
      return .success(sandbox)
    } catch {
      return .failure(error)
    }
  }
}
