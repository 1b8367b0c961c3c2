internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// The outbox of a room, as far as `banter send` has to do with it: what waits
/// there goes first, and what cannot be sent now is kept there.
@MainActor
final class SendOutbox {
  private let log: LogStore
  private let room: LoggedRoom
  private let transport: any Transport
  private let language: Language
  /// Where the room ended before anything was sent.
  private var since: Cursor?
  /// Why what is sent must wait, and all that comes after it; nil while nothing
  /// must.
  private(set) var reason: TransportError?
  private var keptCount = 0

  /// Nil where nothing is to be kept.
  init?(_ invocation: Invocation, _ address: RoomAddress, _ transport: any Transport) throws {
    guard invocation.options.keepsLog, invocation.options.queues, invocation.settings.keepsLog
    else { return nil }
    log = invocation.log
    room = try invocation.loggedRoom(address)
    language = invocation.language
    self.transport = transport
  }

  /// Sends what waits. A log that cannot be read has nothing that could be
  /// sent, and is no reason to send nothing.
  func begin() async {
    since = await transport.end()
    guard access(log.path, F_OK) == 0 else { return }
    let failure = (try? await OutboxFlush(log, room, transport).run()) ?? nil
    // What will never be taken holds up nothing that may be.
    if let failure, failure.code.isTransient { reason = failure }
  }

  /// Keeps events for later.
  /// - Returns: why they cannot be kept; nil when they are.
  func keep(_ events: [Event], because error: TransportError) async -> LogError? {
    // Where a repeat would be another message, what may wait was never sent.
    let place = transport.capabilities.removesDuplicates ? since?.value : nil
    do throws(LogError) {
      try await log.keep(events.map { ($0, place) }, in: room, owner: nil)
    } catch {
      return error
    }
    reason = reason ?? error
    keptCount += events.count
    return nil
  }

  /// Tells how many messages wait.
  /// - Returns: the exit status.
  func end() async throws -> Int32 {
    guard let reason, keptCount > 0 else { return EX_OK }
    Banter.complain(
      language(
        "\(reason); \(keptCount) waiting in the outbox: sent with the next run in that room, or by banter outbox flush",
        "\(reason.text.korean); \(keptCount)개를 남겨 두었습니다. 다음 실행이나 banter outbox flush로 보냅니다"))
    return EX_TEMPFAIL
  }
}
