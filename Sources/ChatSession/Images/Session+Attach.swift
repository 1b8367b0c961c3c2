internal import ChatModel
internal import ImageAssets
internal import TerminalText
internal import Transport

/// Sending images and files.
extension Session {
  /// `/attach PATH... [-- caption]`.
  func attach(_ arguments: String) throws(CommandError) {
    let argument = FileNames.split(arguments)
    let paths = argument.words.map(FileNames.path(ofWord:))
    let caption = argument.text ?? ""
    guard !paths.isEmpty else {
      throw CommandError(language("name a file: /attach photo.png", "파일을 지정하세요: /attach 사진.png"))
    }
    let room = current
    guard let files = room.transport.files else {
      throw CommandError(language("this room takes no files", "이 방에는 파일을 보낼 수 없습니다"))
    }
    room.storingCount += 1
    run { [self] in
      do throws(AttachmentError) {
        var message = makeMessage(caption.isEmpty ? nil : caption, in: room)
        for file in try await store(paths, in: files, of: room) { message.attach(file) }
        room.storingCount -= 1
        let departing = leaving
        submit(.message(message), to: room)
        if !departing.isEmpty { leave(departing) }
      } catch {
        room.storingCount -= 1
        returnLine("/attach \(arguments)", language(error.text), to: room)
      }
    }
  }

  /// Brings files into the room, in their order, once all of them can be sent.
  private func store(
    _ paths: [String], in files: any RoomFileStore, of room: JoinedRoom
  ) async throws(AttachmentError) -> [FileReference] {
    let attachments = Attachments(settings, parts.folders, environment: parts.environment)
    let prepared = try await attachments.prepare(paths, for: room.transport)
    if let note = Attachments.note(on: prepared) { say(language(note)) }
    var stored: [FileReference] = []
    for file in prepared { stored.append(try await store(file, in: files, of: room)) }
    return stored
  }

  /// Brings a file into the room, with a word at the prompt while that takes
  /// long.
  private func store(
    _ file: PreparedFile, in files: any RoomFileStore, of room: JoinedRoom
  ) async throws(AttachmentError) -> FileReference {
    let note = transferNote(.sending, Path.name(of: file.path), to: room)
    defer { transferNotes[note.number] = nil }
    do throws(TransportError) {
      return try await files.store(file.file, progress: note.progress)
    } catch {
      throw AttachmentError(error)
    }
  }
}
