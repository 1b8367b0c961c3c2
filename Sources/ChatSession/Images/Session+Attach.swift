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
    let names = paths.map(Path.name(of:)).joined(separator: ", ")
    let what = caption.isEmpty ? names : "\(names): \(caption)"
    attachmentCount += 1
    let number = attachmentCount
    let task = run { [self] in
      let result = await message(caption, paths, in: files, of: room)
      // Who has given it up has been told.
      guard attachments.removeValue(forKey: number) != nil else { return }
      switch result {
      case .success(let message):
        let departing = leaving
        submit(.message(message), to: room)
        if !departing.isEmpty { leave(departing) }
      case .failure(let error):
        returnLine("/attach \(arguments)", language(error.text), to: room)
      }
    }
    attachments[number] = Attachment(
      room: room, what: what, fileCount: paths.count, task: task)
  }

  /// Files on their way into a room, with what is said of them.
  struct Attachment {
    var room: JoinedRoom
    var what: String
    var fileCount: Int
    var task: Task<Void, Never>
  }

  /// How many files are on their way into a room.
  func storingCount(in room: JoinedRoom) -> Int {
    attachments.values.reduce(0) { $0 + ($1.room === room ? $1.fileCount : 0) }
  }

  /// Gives up what is on its way into a room, and tells of it.
  /// - Returns: what that was, to be waited for.
  func giveUpAttachments(in room: JoinedRoom) -> [Attachment] {
    let givenUp = attachments.filter { $0.value.room === room }.sorted { $0.key < $1.key }
    for (number, attachment) in givenUp {
      attachments[number] = nil
      attachment.task.cancel()
      say(language("not sent: \(attachment.what)", "보내지 못함: \(attachment.what)"))
    }
    return givenUp.map(\.value)
  }

  /// Waits a moment for what was copied of files that were given up to go.
  func waitUntilGone(_ givenUp: [Attachment]) async {
    let all = Task { for attachment in givenUp { await attachment.task.value } }
    _ = await firstValue(of: Task { Optional(await all.value) }, within: .seconds(1))
  }

  /// The message with the files, once all of them are in the room.
  private func message(
    _ caption: String, _ paths: [String], in files: any RoomFileStore, of room: JoinedRoom
  ) async -> Result<Message, AttachmentError> {
    var message = makeMessage(caption.isEmpty ? nil : caption, in: room)
    do throws(AttachmentError) {
      for file in try await store(paths, in: files, of: room) { message.attach(file) }
      return .success(message)
    } catch {
      return .failure(error)
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
