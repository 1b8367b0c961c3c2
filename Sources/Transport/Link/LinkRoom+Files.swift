internal import ChatModel
internal import Dispatch
internal import Executors
internal import Sockets
internal import TransportSecurity

/// Files on their way to the far side and from there: one each way at a time.
/// What is cut off goes on where it stood when the room is entered again.
extension LinkRoom {
  /// The room's files; nil where it takes none, or there is nowhere to keep
  /// what is fetched.
  package nonisolated var files: (any RoomFileStore)? {
    guard capabilities.images, let cache else { return nil }
    return LinkFiles(self, cache)
  }

  /// By which the cache tells this room from others.
  var cacheName: String { "\(dialer.name)\n\(room)" }

  /// How far the far side may be behind, so that what is said meanwhile need
  /// not wait for long.
  private static let windowBytes: Int64 = 512 * 1024
  /// How often one that is to be tried again is tried again.
  private static let attempts = 6

  /// Returns the stored path when the room has the file.
  func upload(
    _ file: UploadSource, progress: @escaping FileProgress
  ) async throws(TransportError) -> String {
    try await transfer { continuation in
      FileTransfer(.upload(file), Backoff(first: timing.firstWait), progress, continuation)
    }
  }

  /// Returns when all of a stored file is in `part`.
  func download(
    _ path: String, into part: PartialFile, limit: Int64, progress: @escaping FileProgress
  ) async throws(TransportError) {
    _ = try await transfer { continuation in
      FileTransfer(
        .download(path, part, limit: limit), Backoff(first: timing.firstWait), progress,
        continuation)
    }
  }

  private func transfer(
    _ make: (FileTransfer.Continuation) -> FileTransfer
  ) async throws(TransportError) -> String {
    connectIfIdle()
    if isClosed {
      throw TransportError(.unreachable, path: dialer.name, reason: "nobody can be reached")
    }
    let number = takeRef()
    let queue = executor.queue
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfers[number] = make(continuation)
        startTransfers()
      }
    } onCancel: {
      queue.async { self.assumeIsolated { $0.cancelTransfer(number) } }
    }
    return try result.get()
  }

  // MARK: - Beginning

  /// Begins with the oldest of each kind, where the room has been entered.
  func startTransfers() {
    guard isEntered else { return }
    for isUpload in [true, false] {
      let waiting = transfers.filter { $0.value.isUpload == isUpload }.min { $0.key < $1.key }
      guard let transfer = waiting?.value, transfer.ref == nil, !transfer.isPausing else {
        continue
      }
      start(transfer)
    }
  }

  private func start(_ transfer: FileTransfer) {
    let ref = reference(takeRef())
    transfer.ref = ref
    switch transfer.kind {
    case .upload(let file):
      ask(
        .put(
          ref: ref,
          PutRequest(
            room: room, name: file.name, mediaType: file.mediaType,
            sizeInBytes: file.sizeInBytes, sha256: file.sha256)))
    case .download(let path, _, _):
      ask(.get(ref: ref, room: room, path: path, offset: transfer.place))
    }
    watch(transfer, ref)
  }

  /// Gives up what the far side was asked for and does not send, or was offered
  /// and does not take.
  private func watch(_ transfer: FileTransfer, _ ref: String) {
    transfer.heardAt = .now
    transfer.watch = Task {
      while !Task.isCancelled,
        let (number, transfer) = transfers.first(where: { $0.value.ref == ref })
      {
        // As long as nothing is taken in, nothing can come.
        if mailbox.isFull { transfer.heardAt = .now }
        let end = transfer.heardAt + timing.fileSilence
        if end <= .now { return giveUp(number, transfer, silent(transfer)) }
        try? await Task.sleep(until: end)
      }
    }
  }

  private func silent(_ transfer: FileTransfer) -> TransportError {
    let what = transfer.isUpload ? "nothing was heard of the file" : "no part of the file came"
    let seconds = timing.fileSilence.components.seconds
    return TransportError(
      .unreachable, path: dialer.name, reason: "\(what) for \(seconds) s; try again later")
  }

  // MARK: - What the far side says

  /// Takes an answer about a file.
  func takeFileAnswer(_ answer: Answer) {
    switch answer {
    case .ready(let ref, let offset): withTransfer(ref) { $1.isUpload ? begin($0, $1, offset) : () }
    case .progress(let ref, let done, _): withTransfer(ref) { note(done, of: $1) }
    case .stored(let ref, let path): withTransfer(ref) { number, _ in end(number, .success(path)) }
    case .chunk(let ref, let data, let isLast): withTransfer(ref) { take(data, isLast, $0, $1) }
    default: break
    }
  }

  private func withTransfer(_ ref: String, _ body: (Int, FileTransfer) -> Void) {
    guard let (number, transfer) = transfers.first(where: { $0.value.ref == ref }) else { return }
    body(number, transfer)
  }

  private func begin(_ number: Int, _ transfer: FileTransfer, _ offset: Int64) {
    guard case .upload(let file) = transfer.kind, (0...file.sizeInBytes).contains(offset) else {
      return end(number, .failure(unexpected))
    }
    transfer.place = offset
    transfer.heardAt = .now
    transfer.isFlowing = true
    sendChunks()
  }

  private func note(_ done: Int64, of transfer: FileTransfer) {
    guard case .upload(let file) = transfer.kind else { return }
    transfer.acknowledged = done
    transfer.heardAt = .now
    transfer.progress(done, file.sizeInBytes)
    sendChunks()
  }

  private func take(_ data: String, _ isLast: Bool, _ number: Int, _ transfer: FileTransfer) {
    guard case .download(_, let part, let limit) = transfer.kind else { return }
    guard let bytes = Base64.decode(data), !bytes.isEmpty || isLast else {
      return giveUp(number, transfer, unexpected)
    }
    guard transfer.place + Int64(bytes.count) <= limit else {
      return giveUp(number, transfer, .tooLargeToFetch(limit: limit))
    }
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(TransportError) in try part.file.write(bytes) }
    }
    if case .failure(let error) = written { return giveUp(number, transfer, error) }
    transfer.place += Int64(bytes.count)
    transfer.heardAt = .now
    transfer.progress(transfer.place, nil)
    if isLast { end(number, .success("")) }
  }

  /// Takes an error, if it is about a file.
  func failTransfer(_ ref: String, _ error: ProtocolError, _ failure: TransportError) -> Bool {
    guard let (number, transfer) = transfers.first(where: { $0.value.ref == ref }) else {
      return false
    }
    transfer.failures += 1
    let isLasting = error.errorClass != .retry && error.retryAfter == nil
    if isLasting || transfer.failures >= Self.attempts {
      end(number, .failure(failure))
    } else {
      pause(transfer, atLeast: error.retryAfter ?? .zero)
    }
    return true
  }

  private func pause(_ transfer: FileTransfer, atLeast delay: Duration) {
    transfer.stop()
    transfer.isPausing = true
    let delay = max(delay, transfer.backoff.delay())
    let number = transfers.first { $0.value === transfer }?.key
    Task {
      try? await Task.sleep(for: delay)
      if let number { transfers[number]?.isPausing = false }
      startTransfers()
    }
  }

  // MARK: - Sending

  /// Sends of the file that is under way what the line takes.
  func sendChunks() {
    while let (number, transfer) = transfers.first(where: { $0.value.isFlowing }),
      case .upload(let file) = transfer.kind, let ref = transfer.ref,
      let connection, connection.pendingBytes < Self.outputBytes, isInWindow(transfer)
    {
      do throws(TransportError) {
        let bytes = try file.part(at: transfer.place)
        transfer.place += Int64(bytes.count)
        // A far side that says nothing of how far it is has taken what was before.
        transfer.heardAt = .now
        let isLast = transfer.place == file.sizeInBytes
        if isLast { transfer.isFlowing = false }
        ask(.chunk(ref: ref, data: Base64.encode(bytes), isLast: isLast))
      } catch {
        giveUp(number, transfer, error)
      }
    }
  }

  /// A far side that says nothing of how far it is need not be waited for.
  private func isInWindow(_ transfer: FileTransfer) -> Bool {
    transfer.acknowledged.map { transfer.place - $0 < Self.windowBytes } ?? true
  }

  // MARK: - Ends

  private func end(_ number: Int, _ result: Result<String, TransportError>) {
    guard let transfer = transfers.removeValue(forKey: number) else { return }
    transfer.stop()
    transfer.continuation.resume(returning: result)
    startTransfers()
  }

  private func giveUp(_ number: Int, _ transfer: FileTransfer, _ error: TransportError) {
    if let ref = transfer.ref { ask(.cancel(ref: ref)) }
    end(number, .failure(error))
  }

  private func cancelTransfer(_ number: Int) {
    guard let transfer = transfers[number] else { return }
    giveUp(number, transfer, .givenUp)
  }

  /// The way is broken: what is under way waits for the next one.
  func interruptTransfers() {
    for transfer in transfers.values { transfer.stop() }
  }

  func failTransfers(_ error: TransportError) {
    for number in transfers.keys.sorted() { end(number, .failure(error)) }
  }
}

/// A file on its way. Belongs to its room.
final class FileTransfer {
  typealias Continuation = CheckedContinuation<Result<String, TransportError>, Never>

  enum Kind {
    case upload(UploadSource)
    case download(String, PartialFile, limit: Int64)
  }

  let kind: Kind
  let progress: FileProgress
  let continuation: Continuation
  /// What the attempt that is under way is called.
  var ref: String?
  /// How far the file was sent, or has come.
  var place: Int64 = 0
  /// Whether parts of it are to be sent.
  var isFlowing = false
  /// How far the far side says it is.
  var acknowledged: Int64?
  /// When a part of it came or went last, or the far side said how far it is.
  var heardAt = ContinuousClock.now
  /// Sees to it that it goes on.
  var watch: Task<Void, Never>? {
    didSet { oldValue?.cancel() }
  }
  var failures = 0
  var backoff: Backoff
  /// Whether it waits to be tried again.
  var isPausing = false

  init(
    _ kind: Kind, _ backoff: Backoff, _ progress: @escaping FileProgress,
    _ continuation: Continuation
  ) {
    self.kind = kind
    self.backoff = backoff
    self.progress = progress
    self.continuation = continuation
  }

  var isUpload: Bool {
    guard case .upload = kind else { return false }
    return true
  }

  /// Ends the attempt that is under way.
  func stop() {
    ref = nil
    watch = nil
    isFlowing = false
    acknowledged = nil
  }
}
