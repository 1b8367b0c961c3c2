internal import Synchronization

/// Asks the cluster, and hears its answers over one inbox of its own.
final class ClusterRequests: Sendable {
  let connection: NATSConnection
  private let inbox: String
  private let waiters = Waiters()
  private let subscription: NATSSubscription

  init(_ connection: NATSConnection) throws(ClusterFault) {
    self.connection = connection
    inbox = try connection.makeInbox()
    subscription = try NATSSubscription(
      connection, inbox + ".*", reading: [.status, .description, .sequence]
    ) { [waiters, inbox] messages in
      // Many in a row answer the same request.
      let token = { (message: NATSMessage) in
        message.place?.consumer ?? String(message.subject.dropFirst(inbox.utf8.count + 1))
      }
      var rest = messages[...]
      while let first = rest.first.map(token) {
        let answers = rest.prefix { token($0) == first }
        rest = rest.dropFirst(answers.count)
        waiters.take(answers, as: first)
      }
    }
  }

  /// Sends a request, and waits for its answer.
  func ask(
    _ subject: String, _ bytes: [UInt8] = [], headers: [NATSMessage.Header: String] = [:],
    within patience: Duration = .seconds(2)
  ) async throws(ClusterFault) -> NATSMessage {
    let answers = try await gather(
      subject, bytes, headers: headers, atMost: 1, within: patience)
    guard let answer = answers.first else { throw ClusterFault(.timeout, "no answer in time") }
    if let fault = answer.statusFault { throw fault }
    return answer
  }

  /// Sends a request, and waits for so many answers, one that is only a
  /// status, or the end of the time.
  /// - Parameter consumer: whose messages count as answers.
  func gather(
    _ subject: String, _ bytes: [UInt8] = [], headers: [NATSMessage.Header: String] = [:],
    of consumer: String? = nil, atMost count: Int, within patience: Duration
  ) async throws(ClusterFault) -> [NATSMessage] {
    let token = consumer ?? waiters.makeToken()
    let (connection, inbox, waiters) = (connection, inbox, waiters)
    let result: Result<[NATSMessage], ClusterFault> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters.add(Waiter(count: count, continuation: continuation), as: token)
        do throws(ClusterFault) {
          try connection.publish(
            bytes, to: subject, reply: "\(inbox).\(token)", headers: headers)
        } catch {
          waiters.end(token, error)
        }
        waiters.end(token, after: patience)
      }
    } onCancel: {
      waiters.end(token)
    }
    return try result.get()
  }

  private struct Waiter {
    typealias Answers = Result<[NATSMessage], ClusterFault>

    var count: Int
    var answers: [NATSMessage] = []
    var timer: Task<Void, Never>?
    let continuation: CheckedContinuation<Answers, Never>

    init(count: Int, continuation: CheckedContinuation<Answers, Never>) {
      (self.count, self.continuation) = (count, continuation)
    }
  }

  private final class Waiters: Sendable {
    private struct State {
      var number = 0
      var waiting: [String: Waiter] = [:]
    }

    private let state = Mutex(State())

    func makeToken() -> String {
      state.withLock { state in
        state.number += 1
        return String(state.number, radix: 36)
      }
    }

    func add(_ waiter: Waiter, as token: String) {
      state.withLock { $0.waiting[token] = waiter }
    }

    func take(_ answers: ArraySlice<NATSMessage>, as token: String) {
      let isEnough = state.withLock { state in
        guard var waiter = state.waiting.removeValue(forKey: token) else { return false }
        waiter.answers += answers
        let isEnough =
          waiter.answers.count >= waiter.count || answers.last?.headers[.status] != nil
        state.waiting[token] = waiter
        return isEnough
      }
      if isEnough { end(token) }
    }

    func end(_ token: String, after patience: Duration) {
      let timer = Task {
        try? await Task.sleep(for: patience)
        if !Task.isCancelled { end(token) }
      }
      let isWaiting = state.withLock { state in
        state.waiting[token]?.timer = timer
        return state.waiting[token] != nil
      }
      if !isWaiting { timer.cancel() }
    }

    func end(_ token: String, _ fault: ClusterFault? = nil) {
      guard let waiter = state.withLock({ $0.waiting.removeValue(forKey: token) }) else { return }
      waiter.timer?.cancel()
      waiter.continuation.resume(returning: fault.map { .failure($0) } ?? .success(waiter.answers))
    }
  }
}
