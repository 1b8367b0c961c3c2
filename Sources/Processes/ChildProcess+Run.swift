internal import Glibc
internal import Synchronization

extension ChildProcess {
  /// The exit status of what was ended because its time was over, as timeout(1)
  /// has it.
  package static let timedOutStatus: Int32 = 124

  /// Runs a program to its end, and hands over what it prints as it comes, in
  /// order, on a thread of its own.
  ///
  /// When `time` is over, when `body` returns false or the task is cancelled, it
  /// is ended with what it has started, see ``end()``; what has gone its own way
  /// and keeps the output open is not waited for.
  /// - Returns: its exit status as ``waitUntilExit(whileRunning:)`` has it, or
  ///   ``timedOutStatus``.
  /// - Throws: when it cannot be started.
  package static func run(
    _ arguments: [String], environment: [String: String], input: Stream = .null,
    error: Stream = .null, session: Session = .own, within time: Duration? = nil,
    forEachChunk body: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async throws(ChildProcessError) -> Int32 {
    guard let pipe = Pipe() else {
      throw ChildProcessError(program: arguments[0], errorNumber: EMFILE)
    }
    let child: ChildProcess
    do {
      child = try ChildProcess(
        arguments, environment: environment, input: input, output: .descriptor(pipe.writeEnd),
        error: error, session: session)
    } catch {
      pipe.closeReadEnd()
      pipe.closeWriteEnd()
      throw error
    }
    pipe.closeWriteEnd()
    return await child.wait(within: time) {
      await pipe.forEachChunk { chunk in
        let goesOn = body(chunk)
        if !goesOn { child.end() }
        return goesOn
      }
    }
  }

  /// Runs a program to its end, and collects what it prints; when that is `limit`
  /// bytes or more the program is ended. Otherwise as
  /// ``run(_:environment:input:error:session:within:forEachChunk:)``.
  package static func collect(
    _ arguments: [String], environment: [String: String], input: Stream = .null,
    error: Stream = .null, session: Session = .own, within time: Duration? = nil, limit: Int
  ) async throws(ChildProcessError) -> (status: Int32, output: [UInt8]) {
    let output = CollectedOutput()
    let status = try await run(
      arguments, environment: environment, input: input, error: error, session: session,
      within: time
    ) { output.append($0) < limit }
    return (status, output.bytes)
  }

  private enum Event {
    case ended(status: Int32)
    case timeIsOver
    case cancelled
  }

  private func wait(
    within time: Duration?, whileRunning body: @escaping @Sendable () async -> Void
  ) async -> Int32 {
    await withTaskGroup(of: Event.self) { group in
      group.addTask { .ended(status: await waitUntilExit(whileRunning: body)) }
      if let time {
        group.addTask {
          do { try await Task.sleep(for: time) } catch { return .cancelled }
          return .timeIsOver
        }
      }
      var isLate = false
      for await event in group {
        switch event {
        case .ended(let status):
          group.cancelAll()
          return isLate ? Self.timedOutStatus : status
        case .timeIsOver:
          isLate = true
          group.cancelAll()
        case .cancelled: continue
        }
      }
      return Self.timedOutStatus
    }
  }
}

/// Filled by one thread and read by another.
private final class CollectedOutput: Sendable {
  private let storage = Mutex<[UInt8]>([])

  var bytes: [UInt8] { storage.withLock { $0 } }

  /// Returns how many there are then.
  func append(_ chunk: UnsafeRawBufferPointer) -> Int {
    storage.withLock { bytes in
      bytes += chunk
      return bytes.count
    }
  }
}
