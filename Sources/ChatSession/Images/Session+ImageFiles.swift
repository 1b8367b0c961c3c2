internal import ChatModel
internal import FileSystem
internal import Glibc
internal import ImageAssets
internal import Processes
internal import TerminalText
internal import Transport
internal import TransportSecurity

/// Images and files outside of the terminal: opened, saved, their addresses
/// copied.
extension Session {
  /// Shows images with the program of the setting `images.viewer`.
  func openImages(_ range: Range<Int>, of message: Message, in room: JoinedRoom) {
    run { [self] in
      let images = Array(message.attachedImages[range])
      var isThere = true
      await fetchAll(images, in: room) { index, found in
        switch found {
        // A program that is missing is told of once.
        case .success(let file) where isThere:
          isThere = await open(file, name(of: images[index]))
        case .success: break
        case .failure(let failure): say(language(failure.text))
        }
      }
    }
  }

  /// - Returns: whether there is a program to show it.
  private func open(_ file: ImageFile, _ name: String) async -> Bool {
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
      await fetchAll(images, in: room) { index, found in
        switch found {
        case .success(let file):
          let name = SavedFile.name(
            name(of: images[index]), extension: file.header.type.fileExtension)
          guard let opened = try? file.open() else {
            say(language(ImageFailure.notAFile.text))
            return
          }
          await save(opened, as: name, in: folder)
        case .failure(let failure): say(language(failure.text))
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

  /// The address of an image, as it may go into the clipboard: what it holds is
  /// pasted where a control character does something.
  func copyableAddress(
    _ index: Int, of message: Message, in room: JoinedRoom
  ) throws(CommandError) -> String {
    let image = message.images[index]
    if case .data = ImageSource(image) {
      throw CommandError(
        language(
          "image \(index + 1) has no address, it came whole; save it instead",
          "\(index + 1)번째 이미지는 주소가 없습니다. save로 저장하세요"))
    }
    guard let address = usableAddress(of: image, in: room) else {
      throw CommandError(
        language(
          "image \(index + 1) is kept in the room and has no address; save it instead",
          "\(index + 1)번째 이미지는 방에 있고 주소가 없습니다. save로 저장하세요"))
    }
    // What is copied is what was shown, to the last character.
    guard neutralized(address).unicodeScalars.elementsEqual(address.unicodeScalars) else {
      throw CommandError(
        language(
          "the address of image \(index + 1) has invisible characters in it; it is not copied",
          "\(index + 1)번째 이미지의 주소에 보이지 않는 문자가 있어 복사하지 않습니다"))
    }
    return address
  }

  /// The address of an image on the web, or the path of the file on this
  /// machine, quoted for a shell; nil where neither is known.
  private func usableAddress(of image: String, in room: JoinedRoom) -> String? {
    if let address = imageMap.address(of: image) { return address }
    guard let path = (room.transport.files as? RoomFiles)?.location(of: image) else { return nil }
    // From the root: it is pasted anywhere.
    return FileNames.shellQuoted(
      Path.entry(Path.name(of: path), of: Path.absolute(Path.parent(of: path))))
  }

  /// Puts a text into the terminal's clipboard; shows it where that is known not
  /// to be possible.
  func copy(_ text: String) {
    guard surface.showsPictures else { return say(text) }
    run { [self] in
      if let reason = await Clipboard.obstacle(parts.environment) {
        return say(
          language("not copied: \(reason.english)", "복사하지 못함: \(reason.korean)") + "\n" + text)
      }
      surface.copy(base64: Base64.encode(Array(text.utf8)))
      say(language("copied: \(text)", "복사했습니다: \(text)"))
    }
  }
}
