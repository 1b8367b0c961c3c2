internal import ChatModel
internal import Dispatch
package import Executors
internal import Glibc
package import Sockets
internal import Transport
package import TransportSecurity

/// Shares room files with whoever calls, over the line protocol.
///
/// The room file stays the truth. A turn of the hub handles everything that
/// has arrived: it appends to each room what was sent to it with one write,
/// tells it to everyone with one write a connection, and acknowledges it when
/// it is synced. Everything is done on one queue, on which nothing waits.
package actor Hub {
  package nonisolated let executor = QueueExecutor(label: "banter.hub")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  var configuration: HubConfiguration
  let log: @Sendable (HubLogEntry) -> Void
  var listeners: [String: (listener: Listener, access: HubConfiguration.Access)] = [:]
  var clients: [Int: HubClient] = [:]
  var rooms: [String: HubRoom] = [:]
  nonisolated let files = SharedRoomFiles()
  /// How many files are being brought, and fetched.
  var uploadCount = 0
  var downloadCount = 0
  private var nextNumber = 1
  /// Rooms and clients that this turn has something to do for.
  private var busyRooms: [String: HubRoom] = [:]
  private var busyClients: [Int: HubClient] = [:]
  private var isTurnComing = false
  private var timer: (any DispatchSourceTimer)?
  /// What carries those who are at pipes.
  private var relays: [PipeRelay] = []
  /// Counts the ticks, see ``HubConfiguration/Limits/tick``.
  var tick = 0
  private var endings: [CheckedContinuation<Void, Never>] = []
  /// The name of the one room of a hub that serves a file.
  let soleRoom: String?
  /// How often a login was begun at an address lately and has not succeeded.
  var failedLogins: [String: Int] = [:]
  /// What is read goes through here, whoever it comes from.
  let buffer = ReadBuffer()

  /// - Parameter log: called on the hub's queue for what an operator wants to
  ///   know.
  package init(
    _ configuration: HubConfiguration, log: @escaping @Sendable (HubLogEntry) -> Void
  ) {
    self.configuration = configuration
    self.log = log
    soleRoom =
      if case .file(let path) = configuration.place {
        (try? RoomAddress(path))?.displayName ?? ""
      } else {
        nil
      }
  }

  /// Begins to listen at every address of the configuration.
  /// - Returns: the addresses, with the ports that the system chose.
  package func start() throws(SocketError) -> [String] {
    var names: [String] = []
    for endpoint in configuration.endpoints {
      for listener in try listeners(at: endpoint) {
        listeners[listener.name] = (listener, endpoint.access)
        names.append(listener.name)
      }
    }
    startTicking()
    return names
  }

  private func listeners(
    at endpoint: HubConfiguration.Endpoint
  ) throws(SocketError) -> [Listener] {
    let (address, queue) = (endpoint.address, executor.queue)
    let onCall: @Sendable (String) -> Void = { [weak self] name in
      self?.assumeIsolated { $0.acceptAll(at: name) }
    }
    if let socket = endpoint.socket {
      return [Listener(inherited: socket, at: address, queue: queue, onCall: onCall)]
    }
    return try Listener.listen(
      at: address, rights: endpoint.rights, queue: queue, onCall: onCall)
  }

  /// Serves one who is there already, such as the two ends of standard input
  /// and output; both descriptors become the hub's.
  package func serve(reading: Int32, writing: Int32, access: HubConfiguration.Access) {
    let relay = PipeRelay(reading: reading, writing: writing)
    if let relay { relays.append(relay) }
    let (input, output) = relay.map { ($0.socket, $0.socket) } ?? (reading, writing)
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    startTicking()
    add(reading: input, writing: output, access: access, peer: "stdio")
  }

  /// Returns when nobody is there any more and nobody can come.
  package func waitUntilEmpty() async {
    if !(clients.isEmpty && listeners.isEmpty && rooms.values.allSatisfy(\.isIdle)) {
      await withCheckedContinuation { endings.append($0) }
    }
    for relay in relays { await relay.waitUntilWritten(within: .seconds(5)) }
    await files.discardAll()
  }

  /// Lets nobody in any more, and lets go of everyone when what was sent
  /// before this is acknowledged.
  package func stop() {
    // Who has called already is told as well.
    for name in listeners.keys { acceptAll(at: name) }
    listeners = [:]
    for client in clients.values {
      // What has arrived and was not looked at yet.
      receive(from: client.number)
      dismiss(client)
    }
    endIfEmpty()
  }

  /// Goes by other accounts and another certificate from now on; nil leaves them
  /// as they are. Who has lost his account is let go of.
  package func reload(accounts: [String: Account]?, security: TLSContext?) {
    configuration.accounts = accounts ?? configuration.accounts
    configuration.security = security ?? configuration.security
    for client in clients.values where client.access == .accounts && !client.isGoing {
      check(client)
    }
  }

  /// Lets go of somebody whose account does not let him be where he is.
  private func check(_ client: HubClient) {
    // What he proves is what the accounts were when he began.
    if case .login = client.stage {
      return refuse(client, ProtocolError(.retry, "the accounts were changed; log in again"))
    }
    guard let profile = client.profile else { return }
    guard let account = configuration.accounts[profile.id] else {
      return refuse(client, ProtocolError(.denied, "the account is gone"))
    }
    client.account = account
    if let name = client.subscriptions.keys.first(where: { !account.mayEnter($0) }) {
      refuse(client, ProtocolError(.denied, "this account may not enter \(name) any more"))
    }
  }

  private func startTicking() {
    guard timer == nil else { return }
    let interval = configuration.limits.tick / .seconds(1)
    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    timer.schedule(
      deadline: .now() + interval, repeating: interval, leeway: .milliseconds(Int(interval * 200)))
    timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.passTick() } }
    timer.activate()
    self.timer = timer
  }

  func endIfEmpty() {
    guard clients.isEmpty, listeners.isEmpty, rooms.values.allSatisfy(\.isIdle) else { return }
    timer?.cancel()
    timer = nil
    for ending in endings { ending.resume() }
    endings = []
  }

  // MARK: - Turns

  func wake(_ room: HubRoom?) {
    guard let room else { return }
    busyRooms[room.name] = room
    comeTurn()
  }

  func wake(_ client: HubClient) {
    busyClients[client.number] = client
    comeTurn()
  }

  /// Everything that has arrived by now is behind this in the queue.
  private func comeTurn() {
    guard !isTurnComing else { return }
    isTurnComing = true
    executor.queue.async { [weak self] in self?.assumeIsolated { $0.turn() } }
  }

  private func turn() {
    isTurnComing = false
    let rooms = busyRooms
    busyRooms = [:]
    for room in rooms.values { takeTurn(of: room) }
    let clients = busyClients
    busyClients = [:]
    for client in clients.values { flush(client) }
    endIfEmpty()
  }

  func takeTransferNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  // MARK: - Clients

  @discardableResult
  func add(
    reading: Int32, writing: Int32, access: HubConfiguration.Access, peer: String,
    isSecure: Bool = false
  ) -> HubClient {
    let number = nextNumber
    nextNumber += 1
    let stream = DescriptorStream(
      reading: reading, writing: writing, queue: executor.queue,
      onReadable: { [weak self] in self?.assumeIsolated { $0.receive(from: number) } },
      onWritable: { [weak self] in
        self?.assumeIsolated { hub in hub.clients[number].map { hub.flush($0) } }
      })
    let connection = LineConnection(
      stream, security: isSecure ? configuration.security.map(TLSSession.init(server:)) : nil,
      maximumLineBytes: configuration.limits.greetingBytes)
    let client = HubClient(
      number, connection, access: access, peer: peer, tick: tick,
      allowance: configuration.limits.eventsPerSecond)
    clients[number] = client
    return client
  }
}
