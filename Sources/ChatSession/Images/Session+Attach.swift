internal import ChatModel
internal import TerminalText
internal import Transport

/// Sending images and files.
extension Session {
  /// `/attach PATH... [-- caption]`.
  func attach(_ arguments: String) throws(CommandError) {
    let argument = FileNames.split(arguments)
    let paths = argument.words.map(FileNames.expanded)
    let caption = argument.text ?? ""
    guard !paths.isEmpty else {
      throw CommandError(language("name a file: /attach photo.png", "파일을 지정하세요: /attach 사진.png"))
    }
    guard let files = transport.files else {
      throw CommandError(language("this room takes no files", "이 방에는 파일을 보낼 수 없습니다"))
    }
    storingCount += 1
    run { [self] in
      var message = makeMessage(caption.isEmpty ? nil : caption)
      do throws(TransportError) {
        for path in paths {
          let note = transferNote(.sending, Path.name(of: path))
          defer { transferNotes[note.number] = nil }
          let file = try await files.store(path, progress: note.progress)
          // An image is a file as well: that keeps its name and size.
          if file.mediaType?.hasPrefix("image/") == true { message.images.append(file.path) }
          message.files.append(file)
        }
        storingCount -= 1
        let leaves = isLeaving
        submit(.message(message))
        if leaves { leave() }
      } catch {
        storingCount -= 1
        returnLine("/attach \(arguments)", language(error.text))
      }
    }
  }
}
