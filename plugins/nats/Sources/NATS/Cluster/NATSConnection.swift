internal import CNATS
internal import Executors
internal import Synchronization

/// A connection to one of a cluster's servers, whichever is there; libnats
/// looks for another when it breaks (natsConnection_Connect).
final class NATSConnection: Sendable {
  /// What becomes of the connection.
  enum News: Sendable {
    case connected
    case disconnected(reason: String?)
    /// What the cluster complains of, such as a missing right.
    case complaint(String)
    /// For good.
    case closed(reason: String?)
  }

  // libnats guards it by a lock of its own.
  nonisolated(unsafe) let pointer: OpaquePointer
  private let listener: Listener
  /// Where its answers come; others need no right to listen there.
  private let inboxes: String

  /// Connects to the first server that is there; a connection that breaks
  /// later is made again with whichever is.
  /// - Parameter tell: called on threads of libnats's.
  /// - Throws: what is wrong with all of them.
  static func make(
    to address: ClusterAddress, as login: ClusterLogin,
    _ tell: @escaping @Sendable (News) -> Void
  ) async throws(ClusterFault) -> NATSConnection {
    // It waits for the network.
    let result: Result<NATSConnection, ClusterFault> = await withCheckedContinuation { made in
      runOnOwnThread {
        made.resume(
          returning: Result { () throws(ClusterFault) in
            try NATSConnection(to: address, as: login, tell)
          })
      }
    }
    return try result.get()
  }

  private init(
    to address: ClusterAddress, as login: ClusterLogin,
    _ tell: @escaping @Sendable (News) -> Void
  ) throws(ClusterFault) {
    inboxes = login.proof.inboxes
    let options = try ConnectionOptions()
    try options.set(address, login)
    listener = Listener(tell)
    try options.tell(listener)
    var connection: OpaquePointer?
    let status = natsConnection_Connect(&connection, options.pointer)
    guard status == NATS_OK, let connection else {
      listener.letGo()
      throw ClusterFault(status)
    }
    pointer = connection
  }

  deinit {
    listener.isMute.withLock { $0 = true }
    natsConnection_Destroy(pointer)
  }

  /// Who is told. libnats keeps it until it has told the end, which comes
  /// after the connection was destroyed.
  final class Listener: Sendable {
    let tell: @Sendable (News) -> Void
    let isMute = Mutex(false)

    init(_ tell: @escaping @Sendable (News) -> Void) { self.tell = tell }

    func say(_ news: News) {
      if !isMute.withLock(\.self) { tell(news) }
    }

    /// What libnats is given.
    func keep() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    func letGo() { Unmanaged.passUnretained(self).release() }
  }

  /// The greatest message that the server takes, in bytes, with its headers.
  var maximumPayloadBytes: Int { Int(natsConnection_GetMaxPayload(pointer)) }

  /// Sends a message; while the connection is away, it waits for it.
  /// - Parameter reply: where the answer is wanted.
  func publish(
    _ bytes: [UInt8], to subject: String, reply: String? = nil,
    headers: [NATSMessage.Header: String] = [:]
  ) throws(ClusterFault) {
    var message: OpaquePointer?
    var status = bytes.withUnsafeBytes { bytes in
      natsMsg_Create(
        &message, subject, reply, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(clamping: bytes.count))
    }
    guard status == NATS_OK, let message else { throw ClusterFault(status) }
    defer { natsMsg_Destroy(message) }
    for (name, value) in headers where status == NATS_OK {
      status = natsMsgHeader_Set(message, name.rawValue, value)
    }
    if status == NATS_OK { status = natsConnection_PublishMsg(pointer, message) }
    guard status == NATS_OK else { throw ClusterFault(status) }
  }

  /// A subject of one's own, for answers.
  func makeInbox() throws(ClusterFault) -> String {
    var inbox: UnsafeMutablePointer<CChar>?
    let status = natsInbox_Create(&inbox)
    guard status == NATS_OK, let inbox else { throw ClusterFault(status) }
    defer { natsInbox_Destroy(inbox) }
    let name = String(cString: inbox).split(separator: ".").last ?? ""
    return "\(inboxes).\(name)"
  }
}
