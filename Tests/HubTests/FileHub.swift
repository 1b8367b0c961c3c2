import ChatModel
import Dispatch
import Executors
import Glibc
import Sockets
import Synchronization
import TestSupport
import TransportSecurity

@testable import Hub
@testable import Transport

/// A hub at a Unix socket, for anyone as anyone, with its folder of rooms.
final class FileHub: Sendable {
  let folder = TemporaryFolder()
  let hub: Hub
  let address: SocketAddress

  init(_ change: (inout HubConfiguration) -> Void = { _ in }) async throws {
    signal(SIGPIPE, SIG_IGN)
    mkdir("\(folder.path)/rooms", 0o700)
    address = SocketAddress(.path("\(folder.path)/socket"))
    var configuration = HubConfiguration(place: .folder("\(folder.path)/rooms"), server: "test")
    configuration.endpoints = [.init(address, access: .open)]
    change(&configuration)
    hub = Hub(configuration) { _ in }
    _ = try await hub.start()
  }

  /// Who calls by the line, having said hello and joined `lobby`.
  func client(_ profileID: String = "minsu") async throws -> FileClient {
    let client = FileClient(try await Connector.connect(to: address))
    await client.say(
      .hello(Hello(client: "test", profile: Profile(id: profileID, name: profileID))))
    await client.say(.join(ref: "join", JoinRequest(room: "lobby")))
    try await client.expect { if case .live = $0 { true } else { false } }
    return client
  }

  /// A room as a prompt has it.
  func room(
    _ profileID: String = "minsu", through dialer: (any Dialer)? = nil,
    cacheBytes: Int64 = 256 << 20, fileSilence: Duration = .seconds(60)
  ) -> LinkRoom {
    var timing = LinkTiming()
    timing.firstWait = .milliseconds(20)
    timing.fileSilence = fileSilence
    return LinkRoom(
      dialer ?? SocketDialer(address), room: "lobby",
      hello: Hello(client: "test", profile: Profile(id: profileID, name: profileID)),
      timing: timing, cache: FileCache(folder: cacheFolder, limitInBytes: cacheBytes))
  }

  var cacheFolder: String { "\(folder.path)/cache/files" }

  /// What is in the folder of the room's files, hidden or not.
  var stored: [String] { names(in: "\(folder.path)/rooms/lobby.files") }

  func contents(of storedPath: String) -> [UInt8]? {
    folder.read("rooms/lobby.files/\(storedPath)")
  }

  /// Puts something into the room's folder as its owner does.
  func place(_ name: String, _ bytes: [UInt8]) {
    mkdir("\(folder.path)/rooms/lobby.files", 0o700)
    folder.write("rooms/lobby.files/\(name)", bytes)
  }
}

/// The host's end of a line, of which a test says and hears every word.
actor FileClient {
  nonisolated let executor = QueueExecutor(label: "test.client")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let descriptor: Int32
  private var connection: LineConnection?
  private let buffer = ReadBuffer()
  private var heard: [Answer] = []
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  private func open() -> LineConnection {
    if let connection { return connection }
    let stream = DescriptorStream(
      reading: descriptor, writing: descriptor, queue: executor.queue,
      onReadable: { [weak self] in self?.assumeIsolated { $0.receive() } },
      onWritable: { [weak self] in self?.assumeIsolated { try? $0.connection?.flush() } })
    let connection = LineConnection(stream, maximumLineBytes: 1 << 20)
    self.connection = connection
    return connection
  }

  private func receive() {
    do throws(LineConnection.End) {
      try connection?.receive(through: buffer) { line in
        if let answer = try? Answer.decode(line) { heard.append(answer) }
        return true
      }
    } catch {
      connection = nil
    }
    waiter?.resume()
    waiter = nil
  }

  func say(_ requests: Request...) {
    let connection = open()
    for request in requests { connection.append { request.encode(into: &$0) } }
    try? connection.flush()
  }

  /// Whether to take what the hub says.
  func setReading(_ isWanted: Bool) { open().setReading(isWanted) }

  var pendingBytes: Int { connection?.pendingBytes ?? 0 }

  func hangUp() { connection = nil }

  /// The next answer; nil when the hub has hung up.
  func next() async -> Answer? {
    while heard.isEmpty, connection != nil {
      await withCheckedContinuation { waiter = $0 }
    }
    return heard.isEmpty ? nil : heard.removeFirst()
  }

  struct Missing: Error {}

  /// Waits for an answer, passing others over.
  @discardableResult
  func expect(_ isRight: (Answer) -> Bool) async throws -> Answer {
    while let answer = await next() { if isRight(answer) { return answer } }
    throw Missing()
  }

  // MARK: - Files

  /// What became of a file that was offered.
  enum Outcome: Equatable {
    case ready(Int64)
    case stored(String)
    case refused(ProtocolError.Class, String)
  }

  /// The next word about a file, how far it is not counted.
  func outcome(of ref: String) async throws -> Outcome {
    while let answer = await next() {
      switch answer {
      case .ready(ref, let offset): return .ready(offset)
      case .stored(ref, let path): return .stored(path)
      case .error(ref, let error): return .refused(error.errorClass, error.message)
      default: break
      }
    }
    throw Missing()
  }

  func put(
    _ file: TestFile, ref: String = "put", name: String = "photo.txt", room: String = "lobby",
    size: Int64? = nil, sha256: String? = nil
  ) async throws -> Outcome {
    let request = PutRequest(
      room: room, name: name, mediaType: nil, sizeInBytes: size ?? Int64(file.bytes.count),
      sha256: sha256 ?? file.sha256)
    say(.put(ref: ref, request))
    return try await outcome(of: ref)
  }

  /// Sends a part of a file in chunks.
  func send(
    _ bytes: ArraySlice<UInt8>, ref: String = "put", endsHere: Bool = true
  ) {
    var rest = bytes
    repeat {
      let part = rest.prefix(LineProtocol.maximumChunkBytes)
      rest = rest.dropFirst(part.count)
      let data = Base64.encode(part)
      say(.chunk(ref: ref, data: data, isLast: endsHere && rest.isEmpty))
    } while !rest.isEmpty
  }

  /// All of a stored file, or the error instead of it.
  func get(
    _ path: String, ref: String = "get", from offset: Int64 = 0
  ) async throws -> Result<[UInt8], ProtocolError> {
    say(.get(ref: ref, room: "lobby", path: path, offset: offset))
    return try await rest(of: ref)
  }

  func rest(of ref: String) async throws -> Result<[UInt8], ProtocolError> {
    var bytes: [UInt8] = []
    while let answer = await next() {
      switch answer {
      case .chunk(ref, let data, let isLast):
        bytes += Base64.decode(data) ?? []
        if isLast { return .success(bytes) }
      case .error(ref, let error): return .failure(error)
      default: break
      }
    }
    throw Missing()
  }
}

/// A file with its digest, which differs with the seed.
struct TestFile: Sendable {
  let bytes: [UInt8]
  let sha256: String

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var digest = SHA256()
    bytes.withUnsafeBytes { digest.update($0) }
    sha256 = digest.finish()
  }

  init(count: Int, seed: UInt64 = 1) {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    self.init(Array(bytes.prefix(count)))
  }
}

/// Calls a hub through a relay that breaks off after so many bytes, each time
/// one of the numbers; when there is none left it lasts.
final class CuttingDialer: Dialer {
  let name = "hub"
  private let inner: SocketDialer
  private let limits: Mutex<[Int]>
  private let cuts = Mutex(0)

  init(_ address: SocketAddress, after limits: [Int]) {
    inner = SocketDialer(address)
    self.limits = Mutex(limits.reversed())
  }

  var cutCount: Int { cuts.withLock(\.self) }

  func dial() async throws(TransportError) -> DialedLine {
    guard case .descriptors(let far, _) = try await inner.dial().way else { preconditionFailure() }
    var near: [Int32] = [0, 0]
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    precondition(socketpair(AF_UNIX, Int32(kind), 0, &near) == 0)
    let ends = (far, near[1])
    let limit = limits.withLock { $0.popLast() } ?? .max
    DispatchQueue(label: "test.relay").async { [self] in relay(ends.0, ends.1, limit) }
    return DialedLine(.descriptors(reading: near[0], writing: near[0]))
  }

  private func relay(_ one: Int32, _ other: Int32, _ limit: Int) {
    var left = limit
    var buffer = [UInt8](repeating: 0, count: 32_768)
    var polls = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    for number in [one, other] { _ = fcntl(number, F_SETFL, 0) }
    while poll(&polls, 2, -1) > 0 || errno == EINTR {
      for index in 0..<2 where polls[index].revents != 0 {
        let count = read(polls[index].fd, &buffer, min(buffer.count, left))
        guard count > 0, write(polls[1 - index].fd, buffer, count) == count else {
          return end(one, other)
        }
        left -= count
        if left == 0 {
          cuts.withLock { $0 += 1 }
          return end(one, other)
        }
      }
    }
  }

  private func end(_ one: Int32, _ other: Int32) {
    close(one)
    close(other)
  }
}
