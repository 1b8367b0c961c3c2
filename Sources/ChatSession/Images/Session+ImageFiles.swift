internal import ChatModel
internal import FileSystem
internal import Glibc
internal import ImageAssets
internal import Processes
internal import TerminalText
internal import Transport

/// Images and files outside of the terminal: opened and saved.
extension Session {
  /// Shows images with the program of the setting `images.viewer`.
  func openImages(_ range: Range<Int>, of message: Message, in room: JoinedRoom) {
    run { [self] in
      let images = Array(message.attachedImages[range])
      var isThere = true
      await fetchAll(images, by: { [self] in await fetchWhole($0, in: room) }) { index, found in
        switch found {
        // A program that is missing is told of once.
        case .success(let file) where isThere:
          isThere = await open(file, name(of: images[index]))
        case .success: break
        case .failure(let failure): say(failure, of: images[index])
        }
      }
    }
  }

  /// An image for another program: what is in the room may be larger than what is
  /// decoded here.
  private func fetchWhole(
    _ image: MessageImage, in room: JoinedRoom
  ) async -> Result<WholeImage, ImageFailure> {
    let found = await fetch(image, in: room)
    guard case .failure(let failure) = found, failure.isOfDecoding, let file = image.file,
      let files = room.transport.files
    else {
      return found.flatMap { image in
        Result { () throws(ImageFailure) in try WholeImage(image) }
      }
    }
    do throws(TransportError) {
      let opened = try await fetching(name(of: image), sizeInBytes: file.sizeInBytes) {
        progress throws(TransportError) in
        try await files.fetch(file.path, sha256: file.sha256, progress: progress)
      }
      return Result { () throws(ImageFailure) in try WholeImage(opened) }
    } catch {
      return .failure(
        ImageFailure(error, room: room.name, limit: RoomFiles.maximumBytes))
    }
  }

  /// Why an image cannot be had, with its name.
  func say(_ failure: ImageFailure, of image: MessageImage) {
    let name = transcript.fitted(name(of: image), columns: 40)
    say("\(name): \(language(failure.text))")
  }

  /// - Returns: whether there is a program to show it.
  private func open(_ file: WholeImage, _ name: String) async -> Bool {
    let folders = [parts.folders.cache, parts.folders.runtime].map { "\($0)/opened" }
    do throws(SavedFile.Failure) {
      return await open(try await OpenedImage.path(of: file, name: name, folders: folders))
    } catch {
      let reason = error.reason
      say(
        language(
          "\(error.path): not opened: \(reason.english)",
          "\(error.path): 열지 못했습니다: \(reason.korean)"))
      return true
    }
  }

  /// The words and the path are handed over as they are, never to a shell. What
  /// shows the image stays when the chat ends.
  private func open(_ path: String) async -> Bool {
    do throws(ChildProcessError) {
      let child = try ChildProcess(
        settings.imageViewer + [path], environment: parts.environment, input: .null,
        output: .null, error: .null, session: .detached)
      let status = await Task { await child.waitUntilExit() }.value
      guard status != 0 else { return true }
      say(
        language(
          "\(settings.imageViewer[0]) ended with status \(status); images.viewer names another",
          "\(settings.imageViewer[0]): \(status). images.viewer로 다른 프로그램을 정합니다"))
      return true
    } catch {
      say(
        language(
          "\(error); install it, or name another in images.viewer",
          "\(error.program): 실행할 수 없습니다. 설치하거나 images.viewer로 정하세요"))
      return false
    }
  }

  /// Copies images into a folder.
  func saveImages(
    _ range: Range<Int>, of message: Message, in room: JoinedRoom, to folder: String
  ) {
    run { [self] in
      let images = Array(message.attachedImages[range])
      await fetchAll(images, by: { [self] in await fetchWhole($0, in: room) }) { index, found in
        switch found {
        case .success(let file):
          let name = SavedFile.name(name(of: images[index]), extension: file.type.fileExtension)
          await save(file.file, as: name, in: folder)
        case .failure(let failure): say(failure, of: images[index])
        }
      }
    }
  }

  /// `/save [message] FOLDER`: copies all files of a message.
  func saveFiles(_ arguments: String) throws(CommandError) {
    var words = FileNames.split(arguments).words[...]
    var named: NamedMessage?
    if words.count > 1, let word = words.first { named = try self.named(word); words.removeFirst() }
    guard words.count == 1, let folder = try folder(ofWord: words[words.startIndex]) else {
      throw CommandError(
        language(
          "name a message and a folder: /save 12 ~/Downloads", "메시지와 폴더를 쓰세요: /save 12 ~/받은파일"))
    }
    let room = named?.room ?? current
    let entry = named?.entry ?? room.timeline.newest { !storedFiles(of: $0.message).isEmpty }
    let stored = entry.map { storedFiles(of: $0.message) } ?? []
    guard !stored.isEmpty else {
      throw CommandError(language("there are no files to save", "저장할 파일이 없습니다"))
    }
    guard let files = room.transport.files else {
      throw CommandError(language("this room has no files", "이 방에는 파일이 없습니다"))
    }
    run { [self] in
      for file in stored { await save(file, from: files, in: folder) }
    }
  }

  /// What a message has in the room: its files, and images that it does not
  /// have among them, whatever they are.
  private func storedFiles(of message: Message) -> [FileReference] {
    let images = message.attachedImages.filter { image in
      guard case .stored = source(of: image) else { return false }
      return image.file == nil
    }
    return message.files + images.map { FileReference(path: $0.path) }
  }

  /// The folder that a word of a command names; nil where it names none.
  func folder(ofWord word: String) throws(CommandError) -> String? {
    guard word.contains(where: { !$0.isWhitespace }) else { return nil }
    let path = FileNames.expanded(word)
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { return path }
      throw CommandError(
        language(
          "there is no folder \(path); make it first: mkdir -p",
          "\(path) 폴더가 없습니다. 먼저 mkdir -p로 만드세요"))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandError(language("\(path) is no folder", "\(path): 폴더가 아닙니다"))
    }
    return path
  }

  private func save(
    _ file: FileReference, from files: any RoomFileStore, in folder: String
  ) async {
    let name = file.name ?? file.path
    do throws(TransportError) {
      let opened = try await fetching(name, sizeInBytes: file.sizeInBytes) {
        progress throws(TransportError) in
        try await files.fetch(file.path, sha256: file.sha256, progress: progress)
      }
      await save(opened, as: SavedFile.name(name), in: folder)
    } catch {
      say(language(error.text))
    }
  }

  private func save(_ file: OpenFile, as name: String, in folder: String) async {
    do throws(SavedFile.Failure) {
      let saved = try await SavedFile.copy(file, as: name, in: folder)
      say(language("saved as \(saved)", "\(saved)에 저장했습니다"))
    } catch {
      let reason = error.reason
      say(
        language(
          "\(error.path): not saved: \(reason.english)",
          "\(error.path): 저장하지 못했습니다: \(reason.korean)"))
    }
  }
}
