import ChatModel
import Executors
import Glibc
import Synchronization

@testable import Transport

/// A far side that does what a test says, over a socket pair a call.
final class FarSide: Dialer {
  let name = "test://far"
  private let calls = Mutex<[Call]>([])
  private let failure = Mutex<TransportError?>(nil)

  /// Every call from now on fails with that; nil ends it.
  func fail(with error: TransportError?) {
    failure.withLock { $0 = error }
  }

  func dial() async throws(TransportError) -> DialedLine {
    if let error = failure.withLock(\.self) { throw error }
    var ends: [Int32] = [0, 0]
    // A program that another test starts would keep it open.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let call = Call(ends[1])
    calls.withLock { $0.append(call) }
    return DialedLine(.descriptors(reading: ends[0], writing: ends[0]))
  }

  var callCount: Int { calls.withLock(\.count) }

  /// The call of that number, counted from 1, once it has come.
  /// - Throws: when the test is cancelled meanwhile.
  func call(_ number: Int) async throws -> Call {
    while callCount < number { try await Task.sleep(for: .milliseconds(1)) }
    return calls.withLock { $0[number - 1] }
  }

  /// One connection, from the far side.
  final class Call: Sendable {
    private let socket: Int32
    private let unread = Mutex<[UInt8]>([])

    init(_ socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    func say(_ line: String) {
      var rest = Array((line + "\n").utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The next line; nil at the end.
    func line() async -> String? {
      await withCheckedContinuation { continuation in
        runOnOwnThread { continuation.resume(returning: self.readLine()) }
      }
    }

    private func readLine() -> String? {
      while true {
        let line = unread.withLock { unread -> String? in
          guard let end = unread.firstIndex(of: 10) else { return nil }
          defer { unread.removeFirst(end + 1) }
          return String(decoding: unread[..<end], as: UTF8.self)
        }
        if let line { return line }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        unread.withLock { $0 += buffer.prefix(count) }
      }
    }

    /// The next line of that type; others are passed over.
    func request(_ type: String) async -> String? {
      while let line = await line() {
        if line.hasPrefix(#"{"type":"\#(type)""#) { return line }
      }
      return nil
    }

    /// Welcomes one who says hello.
    /// - Parameter fields: of the welcome, besides the usual ones.
    func welcome(_ fields: String = "") async {
      _ = await request("hello")
      let usual = fields.contains("capabilities") ? "" : #","capabilities":{"dedupe":"server"}"#
      say(
        #"{"type":"welcome","version":1,"server":"far","self":{"profileID":"me"}"#
          + "\(usual)\(fields)}")
    }

    /// Welcomes one who says hello, and lets him in.
    func letIn(
      at cursor: String = "c0", replaying lines: [String] = [], welcoming fields: String = ""
    ) async -> String? {
      await welcome(fields)
      let join = await request("join")
      say(#"{"type":"joined","ref":"join","room":"team"}"#)
      for line in lines { say(line) }
      say(#"{"type":"live","room":"team","cursor":"\#(cursor)"}"#)
      return join
    }

    /// Acknowledges what a `send` asked for.
    func acknowledge(_ request: String) {
      say(#"{"type":"ack","ref":"\#(reference(in: request) ?? "")","room":"team","cursor":"c"}"#)
    }
  }
}

extension FarSide {
  /// The room at this far side, as `me` has it.
  func room(
    _ patience: LinkRoom.Patience = .unlimited, expectsLogin: Bool = false,
    questioner: (any Questioner)? = nil, change: (inout LinkTiming) -> Void = { _ in },
    login: @escaping LoginSource = { _ in nil }
  ) -> LinkRoom {
    var timing = LinkTiming()
    timing.firstWait = .milliseconds(2)
    change(&timing)
    return LinkRoom(
      self, room: "team", hello: Hello(client: "test", profile: Profile(id: "me", name: "Me")),
      patience: patience, timing: timing, login: login, expectsLogin: expectsLogin,
      questioner: questioner)
  }
}

/// A line that tells of a message.
func eventLine(_ id: String, _ cursor: String) -> String {
  #"{"type":"event","room":"team","cursor":"\#(cursor)","event":"#
    + #"{"messageID":"\#(id)","profileID":"you","content":"x"}}"#
}

/// The `ref` of a line.
func reference(in line: String) -> Substring? {
  line.split(separator: #""ref":""#).last?.split(separator: "\"").first
}

/// The id of the message in a line.
func messageID(in line: String) -> Substring? {
  line.split(separator: #""messageID":""#).last?.split(separator: "\"").first
}

/// What a room tells until `isEnough` says so.
func updates(of room: LinkRoom, until isEnough: (RoomUpdate) -> Bool) async -> [RoomUpdate] {
  var told: [RoomUpdate] = []
  while let updates = await room.next() {
    told += updates
    if updates.contains(where: isEnough) { break }
  }
  return told
}

func isLive(_ update: RoomUpdate) -> Bool {
  if case .live = update { true } else { false }
}

/// Why a room cannot be reached for good; nil for any other update.
func fatalReason(_ update: RoomUpdate) -> TransportError? {
  if case .state(.fatal(let reason)) = update { reason } else { nil }
}

func ids(_ updates: [RoomUpdate]) -> (replayed: [String], arrived: [String]) {
  var ids = (replayed: [String](), arrived: [String]())
  for update in updates {
    switch update {
    case .replay(let events): ids.replayed += events.map(\.event.id)
    case .events(let events): ids.arrived += events.map(\.event.id)
    default: break
    }
  }
  return ids
}

func notices(_ updates: [RoomUpdate]) -> [String] {
  updates.compactMap { if case .notice(let text) = $0 { text } else { nil } }
}

extension Receipt {
  /// Why the event was not sent.
  var failure: TransportError? {
    if case .failed(let error) = self { error } else { nil }
  }
}
