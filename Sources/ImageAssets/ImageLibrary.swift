package import FileSystem

/// The images of the messages of a room: each is fetched once, whoever asks for
/// it how often, and found again.
///
/// What somebody waits for comes before what is fetched ahead. A fetch that
/// nobody wants any more ends. What has failed is tried again when somebody
/// asks for it.
package actor ImageLibrary {
  /// Hands out a file of the room, a regular one, as it was checked. What it throws is shown as it is where it is an ``ImageFailure``,
  /// else as ``ImageFailure/refusedByRoom``.
  package typealias StoredFile =
    @Sendable (_ path: String, _ sha256: String?) async throws -> OpenFile

  private struct Request {
    var source: ImageSource
    var waiters: [UInt64: CheckedContinuation<Result<ImageFile, ImageFailure>, Never>] = [:]
    var isAhead = false
    /// Nil as long as it waits for its turn in the room.
    var task: Task<Void, Never>?
    /// What it waits with for its turn among all rooms.
    var ticket: UInt64?
  }

  private let loader: ImageLoader
  private let turns: FetchTurns
  private let now: @Sendable () -> ContinuousClock.Instant
  private var known: KnownImages
  private var queue: FetchQueue
  private var requests: [String: Request] = [:]
  private var runningCount = 0
  private var lastWaiter: UInt64 = 0
  private var isClosed = false

  private var limits: ImageLimits { loader.limits }

  /// - Parameters:
  ///   - cache: may be shared by the libraries of several rooms.
  ///   - limits: the same as those of `web`.
  ///   - turns: shared by the libraries of several rooms; nil where there is one.
  ///   - storedFile: called at most ``ImageLimits/parallelFetches`` times at
  ///     once, in a task that is cancelled when nobody wants the file any more.
  package init(
    cache: ImageDiskCache, web: WebFetch, limits: ImageLimits = ImageLimits(),
    turns: FetchTurns? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    storedFile: @escaping StoredFile
  ) {
    loader = ImageLoader(cache: cache, web: web, limits: limits, storedFile: storedFile)
    self.turns = turns ?? FetchTurns(count: limits.parallelFetches)
    self.now = now
    known = KnownImages(limit: limits.rememberedImages)
    queue = FetchQueue(limitAhead: limits.waitingPrefetches)
  }

  /// The image, fetched where it is not there. When the task is cancelled it
  /// is waited for no longer.
  package func image(_ source: ImageSource) async -> Result<ImageFile, ImageFailure> {
    let key = source.key
    if requests[key] == nil, let file = await present(source, key) { return .success(file) }
    lastWaiter += 1
    let waiter = lastWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled, !isClosed else {
          return continuation.resume(returning: .failure(.cancelled))
        }
        requests[key, default: Request(source: source)].waiters[waiter] = continuation
        if requests[key]?.task == nil { queue.ask(for: key) } else { prefer(key) }
        startFetches()
      }
    } onCancel: {
      Task { await self.leave(waiter, key) }
    }
  }

  /// What is here waits for no other fetch.
  private func present(_ source: ImageSource, _ key: String) async -> ImageFile? {
    if case .success(let file)? = known[key] {
      known.touch(key)
      if await loader.cache.isThere(file) { return file }
      if case .success(file)? = known[key] { known.forget(key) }
    }
    // The room itself knows what it has.
    if case .stored = source { return nil }
    guard let file = await loader.cache.image(key, limits: limits) else { return nil }
    known.note(.success(file), of: key, at: now())
    return file
  }

  /// How many images are waited for or being fetched.
  var requestCount: Int { requests.count }

  /// How many wait, whatever for.
  var waiterCount: Int { requests.values.reduce(0) { $0 + $1.waiters.count } }

  /// How many images are remembered as ready or failed.
  var rememberedCount: Int { known.count }

  // MARK: - Fetching ahead

  /// Fetches images ahead of their being looked at, in this order, when there
  /// is nothing else to fetch. What is its own address needs no fetching; what
  /// has failed is left alone for a while.
  package func prefetch(_ sources: [ImageSource]) {
    guard !isClosed else { return }
    for source in sources {
      if case .data = source { continue }
      let key = source.key
      if requests[key] != nil {
        requests[key]?.isAhead = true
      } else if known.isWorthFetchingAhead(key, at: now()) {
        requests[key] = Request(source: source, isAhead: true)
        fetchAhead(key)
      }
    }
    startFetches()
  }

  private func fetchAhead(_ key: String) {
    if let dropped = queue.fetchAhead(key) { requests[dropped] = nil }
  }

  /// Ends the fetching ahead of all images but some, unless somebody waits for
  /// them.
  package func cancelPrefetches(besides wanted: Set<ImageSource> = []) {
    for (key, request) in requests where !wanted.contains(request.source) { cancelPrefetch(key) }
  }

  private func cancelPrefetch(_ key: String) {
    requests[key]?.isAhead = false
    endIfUnwanted(key)
  }

  /// Ends everything, for good: who waits is told that it was cancelled.
  /// - Returns: when no fetch runs any more, and none has left anything behind.
  package func close() async {
    isClosed = true
    let tasks = requests.values.compactMap(\.task)
    for (key, request) in requests {
      request.waiters.values.forEach { $0.resume(returning: .failure(.cancelled)) }
      requests[key]?.waiters = [:]
      cancelPrefetch(key)
    }
    for task in tasks { await task.value }
  }

  // MARK: - The life of a request

  private func leave(_ waiter: UInt64, _ key: String) {
    let continuation = requests[key]?.waiters.removeValue(forKey: waiter)
    continuation?.resume(returning: .failure(.cancelled))
    endIfUnwanted(key)
  }

  /// Somebody waits for what was begun ahead.
  private func prefer(_ key: String) {
    guard let ticket = requests[key]?.ticket else { return }
    Task { await turns.prefer(ticket) }
  }

  private func endIfUnwanted(_ key: String) {
    guard let request = requests[key], request.waiters.isEmpty, !request.isAhead else { return }
    if let task = request.task {
      task.cancel()
    } else {
      queue.remove(key)
      requests[key] = nil
    }
  }

  private func startFetches() {
    let limit = max(1, limits.parallelFetches)
    while runningCount < limit {
      let isLast = runningCount == limit - 1 && limit > 1
      guard let key = queue.next(onlyAsked: isLast), let source = requests[key]?.source else {
        return
      }
      runningCount += 1
      requests[key]?.task = Task { finish(key, await load(source, key)) }
    }
  }

  /// Loads an image when it is its turn.
  private func load(
    _ source: ImageSource, _ key: String
  ) async -> Result<ImageFile, ImageFailure> {
    let ticket = await turns.ticket()
    requests[key]?.ticket = ticket
    let isAsked = requests[key]?.waiters.isEmpty == false
    let wasAsked = await turns.wait(ticket, isAsked: isAsked)
    requests[key]?.ticket = nil
    let result = Task.isCancelled ? .failure(.cancelled) : await loader.load(source)
    await turns.end(isAsked: wasAsked)
    return result
  }

  private func finish(_ key: String, _ result: Result<ImageFile, ImageFailure>) {
    runningCount -= 1
    defer { startFetches() }
    guard var request = requests.removeValue(forKey: key) else { return }
    if result == .failure(.cancelled) {
      // Somebody may have come while it ended.
      guard !request.waiters.isEmpty || request.isAhead else { return }
      request.task = nil
      requests[key] = request
      return request.waiters.isEmpty ? fetchAhead(key) : queue.ask(for: key)
    }
    known.note(result, of: key, at: now())
    request.waiters.values.forEach { $0.resume(returning: result) }
  }
}
