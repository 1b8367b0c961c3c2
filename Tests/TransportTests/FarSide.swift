import Dispatch
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
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let call = Call(ends[1])
    calls.withLock { $0.append(call) }
    return DialedLine(reading: ends[0], writing: ends[0])
  }

  var callCount: Int { calls.withLock(\.count) }

  /// The call of that number, counted from 1, once it has come.
  func call(_ number: Int) async -> Call {
    while callCount < number { try? await Task.sleep(for: .milliseconds(1)) }
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
        DispatchQueue.global().async { continuation.resume(returning: self.readLine()) }
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

    /// Welcomes one who says hello, and lets him in.
    func letIn(at cursor: String = "c0", replaying lines: [String] = []) async -> String? {
      _ = await request("hello")
      say(#"{"type":"welcome","version":1,"server":"far","self":{"profileID":"me"}}"#)
      let join = await request("join")
      say(#"{"type":"joined","ref":"join","room":"team"}"#)
      for line in lines { say(line) }
      say(#"{"type":"live","room":"team","cursor":"\#(cursor)"}"#)
      return join
    }
  }
}
