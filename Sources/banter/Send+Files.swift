internal import ChatModel
internal import ChatSession
internal import Glibc
internal import ImageAssets
internal import TerminalText
internal import Transport

/// Images and files that `banter send` brings along.
extension Send {
  private var attachments: Attachments {
    Attachments(
      invocation.settings, invocation.folders, environment: invocation.environment)
  }

  /// The files as they are sent, before anybody is called.
  /// - Throws: why one of them cannot be sent, and so none is.
  func preparedFiles() async throws -> [PreparedFile] {
    guard !paths.isEmpty else { return [] }
    do throws(AttachmentError) {
      let files = try await attachments.prepare(paths, for: room)
      if let note = Attachments.note(on: files) { Banter.complain(invocation.language(note)) }
      return files
    } catch {
      throw ExitError(status: error.exitStatus, text: error.text)
    }
  }

  /// Brings the files into the room, in their order.
  func store(_ files: [PreparedFile]) async throws -> [FileReference] {
    // What a hub takes is known when it has been entered.
    _ = await room.end()
    guard let store = room.files else {
      throw ExitError(
        status: EX_DATAERR,
        text: LocalizedText("this room takes no files", "이 방에는 파일을 보낼 수 없습니다"))
    }
    do throws(AttachmentError) {
      try Attachments.check(files, for: room)
    } catch {
      throw ExitError(status: error.exitStatus, text: error.text)
    }
    var stored: [FileReference] = []
    for file in files { stored.append(try await bring(file, to: store)) }
    return stored
  }

  private func bring(
    _ file: PreparedFile, to store: any RoomFileStore
  ) async throws(ExitError) -> FileReference {
    let bar = TransferBar(invocation.language)
    defer { bar.finish() }
    do throws(TransportError) {
      return try await store.store(file.file) { done, total in
        Task { @MainActor in bar.advance(to: done, of: total) }
      }
    } catch {
      throw Self.unsent(error)
    }
  }

  /// The message is not kept for later: its files would have to be kept, too.
  private static func unsent(_ error: TransportError) -> ExitError {
    var text = error.text
    if error.code.isTransient {
      text.english += "; nothing is sent, and files do not wait in the outbox: send them again"
      text.korean += "; 아무것도 보내지 않았고, 파일은 남겨 두지 않습니다. 다시 보내세요"
    }
    return ExitError(status: error.code.exitStatus, text: text)
  }
}

/// How far a file is on its way, on standard error, where it takes a while.
@MainActor
private final class TransferBar {
  private static let worthwhileBytes = 1 << 20
  private let language: Language
  private var progress: Progress?
  private var isOver = false

  init(_ language: Language) {
    self.language = language
  }

  func advance(to done: Int64, of total: Int64?) {
    guard !isOver, let total, total >= Self.worthwhileBytes else { return }
    var progress = progress ?? Progress(total: total, language: language)
    progress.advance(to: done)
    self.progress = progress
  }

  func finish() {
    isOver = true
    progress?.finish()
  }
}
