internal import Dispatch
package import Executors
internal import Sockets

/// One process of a plugin, and the rooms that are talked in over it: each has
/// a share of its line, and what comes is handed to the room that it is about.
///
/// The process is started for the first room and ends after the last one. The
/// rooms run on its queue.
package actor PluginLink {
  package nonisolated let executor = QueueExecutor(label: "banter.plugin")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package nonisolated let program: PluginProgram
  /// What the rooms have in common, for people: scheme and host.
  package nonisolated let name: String
  private let environment: [String: String]

  private(set) var process: PluginProcess?
  var connection: LineConnection?
  var processNumber = 0
  /// The plugin's greeting, for rooms that come later.
  var welcome: Welcome?
  private var isGreeted = false
  var shares: [Int: Share] = [:]
  private var nextShare = 1
  let buffer = ReadBuffer()
  /// Whether there is more to read of which nobody will tell again.
  var hasMoreToRead = false
  /// What the plugin wants to know, by its reference, and the share whose room
  /// asks the user.
  var needs: [String: (need: Answer, share: Int)] = [:]
  /// Ends the process that is not needed any more, which may still say something.
  private var farewell: Task<Void, Never>?
  var leaving: LineConnection?

  /// What a room is told.
  enum Word: Sendable {
    case answer(Answer, sizeInBytes: Int)
    case junk([UInt8])
    case writable
    case end(LineConnection.End)
  }

  struct Share {
    var room: String?
    var isReading = true
    var isAsking = false
    let tell: @Sendable (Word) -> Void
  }

  package init(_ program: PluginProgram, name: String, environment: [String: String]) {
    (self.program, self.name, self.environment) = (program, name, environment)
  }

  /// Starts the plugin where it does not run.
  func start() async throws(TransportError) {
    while let farewell { await farewell.value }
    guard process == nil else { return }
    processNumber += 1
    let number = processNumber
    let (process, connection) = try PluginProcess.start(
      program, environment: environment, queue: executor.queue,
      onReadable: { [weak self] in self?.assumeIsolated { $0.receive(number) } },
      onWritable: { [weak self] in self?.assumeIsolated { $0.goOnWriting(number) } })
    // Whatever it says is said to somebody.
    connection.setReading(false)
    (self.process, self.connection) = (process, connection)
    (welcome, isGreeted, hasMoreToRead) = (nil, false, false)
  }

  // MARK: - Shares

  /// Gives a room its share.
  func join(_ tell: @escaping @Sendable (Word) -> Void) -> Int {
    defer { nextShare += 1 }
    shares[nextShare] = Share(tell: tell)
    goOnReading()
    return nextShare
  }

  /// A room needs its share no more.
  func leave(_ number: Int, isLeaving: Bool) {
    guard let share = shares.removeValue(forKey: number) else { return }
    if isLeaving, !shares.isEmpty {
      if let room = share.room { say(.leave(ref: "\(number)-leave", room: room)) }
      // The plugin waits for an answer all the same.
      for (need, asker) in needs.values where asker == number { hand(need, sizeInBytes: 0) }
      goOnReading()
    } else {
      // What is wrong with the plugin is wrong for all of its rooms.
      end(politely: isLeaving)
    }
  }

  func end(politely: Bool) {
    if politely { say(.bye) }
    connection?.endWriting()
    leaving = connection ?? leaving
    connection = nil
    (welcome, isGreeted, needs) = (nil, false, [:])
    leaving?.setReading(true)
    for share in shares.values { share.tell(.end(.closed)) }
    guard let process else { return }
    self.process = nil
    farewell = Task {
      await process.end(within: politely ? Self.patience : Self.impatience)
      (leaving, farewell) = (nil, nil)
    }
  }

  /// How long a plugin may take to end by itself after "bye".
  private static let patience = Duration.seconds(5)
  /// And after its standard input was closed because something is wrong.
  private static let impatience = Duration.seconds(1)

  /// Returns when nothing is left of a process that is not needed any more.
  package func settle() async {
    await farewell?.value
  }

  /// Whether anything that the plugin says is taken, or passed over.
  var isListening: Bool { connection != nil || leaving != nil }

  var pendingBytes: Int { connection?.pendingBytes ?? 0 }
  var isAsking: Bool { shares.values.contains(where: \.isAsking) }

  func setAsking(_ isAsking: Bool, _ number: Int) { shares[number]?.isAsking = isAsking }

  func setReading(_ isReading: Bool, _ number: Int) {
    shares[number]?.isReading = isReading
    isReading ? goOnReading() : connection?.setReading(false)
  }

  private func goOnReading() {
    guard mayRead else { return }
    connection?.setReading(true)
    guard hasMoreToRead else { return }
    hasMoreToRead = false
    let number = processNumber
    // Others have their turn first.
    Task { receive(number) }
  }

  /// One room that does not take what it is told holds up the others: they are
  /// read by the same one.
  var mayRead: Bool { !shares.isEmpty && shares.values.allSatisfy(\.isReading) }

  // MARK: - Saying

  private func say(_ request: Request) {
    _ = connection?.say(request, limitInBytes: .max)
    try? connection?.flush()
  }

  /// Adds what a room says to what is to be sent.
  func say(_ request: Request, limitInBytes limit: Int, from number: Int) -> Bool {
    switch request {
    case .hello:
      if isGreeted {
        if let welcome { shares[number]?.tell(.answer(.welcome(welcome), sizeInBytes: 0)) }
        return true
      }
      isGreeted = true
    case .join(_, let join): shares[number]?.room = join.room
    // Said when the last room has gone.
    case .bye: return true
    case .given(let ref, _): needs[ref] = nil
    default: break
    }
    return connection?.say(request, limitInBytes: limit) ?? true
  }

  func flush() throws(LineConnection.End) {
    try connection?.flush()
  }

  private func goOnWriting(_ number: Int) {
    guard number == processNumber else { return }
    try? connection?.flush()
    for share in shares.values { share.tell(.writable) }
  }
}
