import ChatModel
import IRC
import TerminalText
import Testing
import Transport

/// A session whose server and host are scripts, and whose clock is set by the
/// test.
final class Scripted {
  let session: IRCSession
  private(set) var now = IRCSession.Moment(
    uptime: .seconds(100), time: Timestamp(milliseconds: 1_796_040_000_000))
  /// What the server has heard, a line each.
  private(set) var heard: [String] = []
  /// What the host was told.
  private(set) var told: [Answer] = []
  private(set) var orders: [IRCSession.Order] = []
  private var ref = 0

  init(
    nick: String = "jane", address: String = "irc://irc.test/#room",
    settings: [String: String] = [:],
    policies: [String: TransportPolicy] = [:], language: Language = .english
  ) throws {
    let hello = Hello(
      client: "test", address: address, profile: Profile(id: nick, name: nick),
      settings: settings)
    session = IRCSession(
      settings: try SessionSettings(hello, language: language), policies: policies, now: now)
    session.begin(with: hello)
    collect()
  }

  /// Takes what the session has to say.
  func collect() {
    session.now = now
    session.tick()
    orders += session.orders
    session.orders = []
    let bytes = session.takeServerBytes()
    heard += String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    var answers: [UInt8] = []
    session.takeHostBytes { answers = $0 }
    answers.withUnsafeBytes { bytes in
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let answer = try? Answer.decode(UnsafeRawBufferPointer(rebasing: line)) else {
          Issue.record("no answer: \(String(decoding: line, as: UTF8.self))")
          continue
        }
        told.append(answer)
      }
    }
  }

  func pass(_ time: Duration) {
    now.uptime += time
    now.time = now.time + time
    collect()
  }

  func server(_ lines: String...) { server(lines) }

  func server(_ lines: [String]) {
    for line in lines { server(bytes: Array(line.utf8)) }
  }

  func server(bytes: [UInt8]) {
    session.now = now
    bytes.withUnsafeBytes { session.take(serverLine: $0) }
    collect()
  }

  /// Lines without a turn between them, as when they come at once.
  func server(atOnce lines: [String]) {
    session.now = now
    for line in lines { Array(line.utf8).withUnsafeBytes { session.take(serverLine: $0) } }
    collect()
  }

  func host(_ request: Request) {
    session.now = now
    session.take(request: request)
    collect()
  }

  /// Requests without a turn between them.
  func host(atOnce requests: [Request]) {
    session.now = now
    for request in requests { session.take(request: request) }
    collect()
  }

  func connect() {
    session.now = now
    session.connected()
    collect()
  }

  func disconnect(_ reason: String? = nil, isLasting: Bool = false) {
    session.now = now
    session.disconnected(because: reason, isLasting: isLasting)
    collect()
  }

  /// What the server has heard since the last time.
  func takeHeard() -> [String] {
    defer { heard = [] }
    return heard
  }

  func takeTold() -> [Answer] {
    defer { told = [] }
    return told
  }

  func takeOrders() -> [IRCSession.Order] {
    defer { orders = [] }
    return orders
  }

  // MARK: - What is often done

  /// Is let in by a server with those capabilities.
  func register(
    _ capabilities: String = "", features: String = "CASEMAPPING=rfc1459", nick: String = "jane"
  ) {
    connect()
    server(":irc.test CAP * LS :\(capabilities)")
    for line in takeHeard() where line.hasPrefix("CAP REQ :") {
      server(":irc.test CAP * ACK :\(line.dropFirst(9))")
    }
    server(
      ":irc.test 001 \(nick) :Welcome", ":irc.test 005 \(nick) \(features) :are supported",
      ":irc.test 422 \(nick) :no message")
    pong()
  }

  /// Answers every sign.
  func pong() {
    for line in heard where line.hasPrefix("PING ") {
      heard.removeAll { $0 == line }
      server(":irc.test PONG irc.test :\(line.dropFirst(5))")
    }
  }

  func nextRef() -> String {
    ref += 1
    return "\(ref)"
  }

  /// Enters a channel of a server without labels.
  func join(_ room: String = "#room", after: String? = nil, tail: Int = 0, nick: String = "jane") {
    host(
      .join(
        ref: nextRef(),
        JoinRequest(room: room, after: after.map { Cursor(value: $0) }, tail: tail)))
    server(
      ":\(nick)!~u@host JOIN \(room)", ":irc.test 353 \(nick) = \(room) :\(nick) @mia bob",
      ":irc.test 366 \(nick) \(room) :End")
    pong()
  }

  func say(_ text: String, id: String, in room: String = "#room", replyTo: String? = nil) {
    host(Self.saying(text, id: id, in: room, replyTo: replyTo))
  }

  static func saying(
    _ text: String, id: String, in room: String = "#room", replyTo: String? = nil
  ) -> Request {
    let message = Message(id: id, profileID: "", content: text, replyTo: replyTo)
    return .send(ref: id, SendRequest(room: room, event: .message(message)))
  }
}

extension [Answer] {
  /// Messages, as `name: text`.
  var messages: [String] {
    events.compactMap { event in
      guard case .message(let message) = event else { return nil }
      let name = message.profileName ?? ""
      return message.isAction
        ? "* \(name) \(message.content ?? "")" : "\(name): \(message.content ?? "")"
    }
  }

  var notices: [String] {
    events.compactMap { if case .notice(let notice) = $0 { notice.content } else { nil } }
  }

  var events: [Event] {
    compactMap { if case .event(_, let event) = $0 { event.event } else { nil } }
  }

  var acks: [Acknowledgement] {
    compactMap { if case .ack(_, let acknowledgement) = $0 { acknowledgement } else { nil } }
  }

  var errors: [ProtocolError] {
    compactMap { if case .error(_, let error) = $0 { error } else { nil } }
  }

  /// Why nothing more is tried.
  var fatal: [String] {
    compactMap { if case .state(.fatal(let reason)) = $0 { reason.reason } else { nil } }
  }

  var warnings: [String] {
    compactMap { if case .log("warn", let text) = $0 { text } else { nil } }
  }
}
