internal import ChatModel
package import Executors
internal import PluginHost
package import TerminalText
internal import Transport

/// Speaks the line protocol with the host, and keeps its rooms in a cluster.
package actor NATSSession {
  package nonisolated let executor = QueueExecutor(label: "banter.nats")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let language: Language
  var host: HostLine?
  var settings: SessionSettings?
  var profile = Profile(id: "", name: "")
  var requests: ClusterRequests?
  var rooms: [String: Room] = [:]
  /// Joins that wait for the cluster.
  var joins: [(ref: String, request: JoinRequest)] = []
  var isConnected = false
  var connecting: Task<Void, Never>?
  /// What the cluster said of rights that are missing, latest last.
  var complaints: [String] = []
  /// Whether the host was told that it takes long, and what is about to.
  var isPausing = false
  var pauseNotice: Task<Void, Never>?
  var watch: Task<Void, Never>?
  var eventIDs = UUIDv7Generator()
  var uploads: [String: Upload] = [:]
  /// By their requests.
  var downloads: [String: Task<Void, Never>] = [:]
  private var ending: CheckedContinuation<Void, Never>?
  private var hasEnded = false

  package static let version = "0.1.0"

  package init(language: Language) { self.language = language }

  /// Serves whoever is at the two descriptors, which become the session's, and
  /// returns when he has gone.
  package func serve(reading: Int32, writing: Int32) async {
    let line = HostLine(
      reading: reading, writing: writing, queue: executor.queue,
      author: { [unowned self] in assumeIsolated { $0.profile.id } }, limit: 512 * 1024,
      take: { [unowned self] line in assumeIsolated { $0.take(line) } },
      onEnd: { [unowned self] in assumeIsolated { $0.end() } })
    host = line
    if !hasEnded { await withCheckedContinuation { ending = $0 } }
    connecting?.cancel()
    watch?.cancel()
    for download in downloads.values { download.cancel() }
    // Somebody else may bring the same: at most what is under way comes yet.
    for room in rooms.values { room.sending?.cancel() }
    uploads = [:]
    rooms = [:]
    requests = nil
    await line.waitUntilWritten()
  }

  private func end() {
    hasEnded = true
    ending?.resume()
    ending = nil
  }

  func say(_ answer: Answer) { host?.say(answer) }

  func refuse(_ ref: String?, _ error: ProtocolError) { say(.error(ref: ref, error)) }

  // MARK: - Requests

  private func take(_ line: Result<Request, RequestFault>) {
    switch line {
    case .failure(let fault): refuse(fault.ref, ProtocolError(.invalid, fault.reason))
    case .success(.hello(let hello)): greet(hello)
    case .success(.given(_, let value)): take(secret: value)
    case .success(.ping(let ref)): say(.pong(ref: ref))
    case .success(.bye): takeLeave()
    case .success(.chunk(let ref, let data, let isLast)): take(chunk: data, isLast, ref)
    case .success(.cancel(let ref)): cancel(ref)
    case .success(.pong), .success(.auth): break
    case .success(let request): answer(request)
    }
  }

  private func answer(_ request: Request) {
    switch request {
    case .join(let ref, let request): join(ref, request)
    case .leave(let ref, let room): leave(ref, room)
    case .send(let ref, let request): send(ref, request)
    case .history(let ref, let request): history(ref, request)
    case .members(let ref, let room, _): members(ref, room)
    case .profile(let ref, let id): tellProfile(ref, id)
    case .rooms(let ref, _): listRooms(ref)
    case .put(let ref, let request): put(ref, request)
    case .get(let ref, let room, let path, let offset): get(ref, room, path, offset)
    case .command(let ref, _, _, _):
      refuse(ref, ProtocolError(.unsupported, "banter-nats cannot do that"))
    case .unknown(_, let ref):
      refuse(ref, ProtocolError(.unsupported, "banter-nats does not know that"))
    default: break
    }
  }

  private func takeLeave() {
    for room in rooms.values { tellPresence(false, in: room) }
    say(.bye)
    host?.end()
  }
}
