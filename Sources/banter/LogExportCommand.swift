internal import Archive
internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText

/// `banter log export`: messages of the log in one of the formats of an
/// archive.
@MainActor
struct LogExportCommand {
  private let invocation: Invocation
  private let format: ExportFormat
  private var range = LogRange()

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let options = invocation.options
    guard invocation.words.isEmpty else {
      throw UsageError(
        "log export takes no words; name a room with --room",
        "log export 뒤에는 말을 쓰지 않습니다. 방은 --room으로 지정하세요")
    }
    if let name = options.format {
      guard let format = ExportFormat(rawValue: name) else {
        throw UsageError(
          "--format wants one of text, markdown, html, jsonl, not \(name)",
          "--format 값은 text, markdown, html, jsonl 중 하나입니다")
      }
      self.format = format
    } else {
      format = options.output.map(LogExport.format) ?? .text
    }
    if let room = options.room {
      range.room = try invocation.loggedRoom(try Invocation.room(room))
    }
    if let since = options.since {
      guard let day = CivilDate(since) else {
        throw UsageError(
          "--since wants a day such as 2026-11-30, not \(since)",
          "--since 값은 2026-11-30과 같은 날짜입니다")
      }
      range.from = TerminalView(invocation, output: .standard).transcript.zone.startOfDay(day)
    }
  }

  func run() async throws -> Int32 {
    let view = TerminalView(invocation, output: .standard)
    if let room = range.room, try await invocation.log.messageCount(in: room) == 0 {
      throw ExitError(
        status: EX_NOINPUT,
        text: LocalizedText(
          "the log has nothing of \(room.name); check the name, or take in what the room holds with banter log index",
          "기록에 \(room.name) 방의 메시지가 없습니다. 이름을 확인하거나 banter log index로 넣으세요"))
    }
    let export = try await LogExport(
      invocation.log, range: range, format: format, options: view.transcript,
      fetchedFiles: invocation.folders.fetchedFiles)
    if let path = invocation.options.output {
      _ = try await export.write(toNewFile: path)
    } else {
      _ = try await export.write { try Output.standard.write($0) }
    }
    if let note = export.noteOnImages { Banter.complain(invocation.language(note)) }
    return EX_OK
  }
}
