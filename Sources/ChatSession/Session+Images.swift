internal import ChatModel
internal import ImageAssets
internal import TerminalText
internal import Transport

/// The image action of a bubble, and sending files.
extension Session {
  private var imageMap: ImageAddressMap {
    ImageAddressMap(settings.imageMap.map { ($0.prefix, $0.address) })
  }

  /// An image's address on the web, or the path where it is stored. Of one
  /// that is its own address (RFC 2397) only the beginning is worth showing.
  func address(of image: String) -> String {
    guard !image.hasPrefix("data:") else {
      return image.prefix { $0 != "," }.prefix(40) + ",…"
    }
    return imageMap.address(of: image) ?? image
  }

  /// `/images [message] [n]`: the image action of a message.
  func listImages(_ arguments: String) throws(CommandError) {
    let words = arguments.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count <= 2 else {
      throw CommandError(
        language("name a message and an image: /images 12 2", "메시지와 이미지를 번호로 쓰세요: /images 12 2"))
    }
    let entry: TimelineEntry
    if let number = words.first {
      entry = try self.entry(number)
    } else if let newest = timeline.newest(where: hasShownImages) {
      entry = newest
    } else {
      throw CommandError(language("no message here has images", "이미지가 있는 메시지가 없습니다"))
    }
    let images = entry.message.images
    guard !images.isEmpty else {
      throw CommandError(
        language("message \(words[0]) has no images", "\(words[0])번에는 이미지가 없습니다"))
    }
    guard words.count > 1 else { return showImages(0..<images.count, of: entry.message) }
    guard let index = Int(words[1]), index >= 1, index <= images.count else {
      throw CommandError(
        language(
          "there is no image \(words[1]); it has \(images.count)",
          "\(words[1])번째 이미지는 없습니다. 모두 \(images.count)개입니다"))
    }
    showImages(index - 1..<index, of: entry.message)
  }

  private func hasShownImages(_ entry: TimelineEntry) -> Bool {
    !entry.message.images.isEmpty && !settings.ignored.contains(entry.message.profileID)
  }

  /// As many as a list shows; each can be had by its number.
  private static let imageLimit = 50

  private func showImages(_ range: Range<Int>, of message: Message) {
    run { [self] in
      for index in range.prefix(Self.imageLimit) {
        say(line(forImage: index, of: message))
        await preview(message.images[index], of: message)
      }
      guard range.count > Self.imageLimit else { return }
      let rest = range.count - Self.imageLimit
      say(
        language(
          "and \(rest) more: /images MESSAGE \(Self.imageLimit + 1) shows the next",
          "그리고 \(rest)개 더. 번호로 하나씩 볼 수 있습니다"))
    }
  }

  /// `image 1 of 2: cat.png, 83.0 KB, https://…`
  private func line(forImage index: Int, of message: Message) -> String {
    let image = message.images[index]
    let file = message.files.first { $0.path == image }
    let last = image.split(separator: "/").last.map(String.init) ?? image
    let name = file?.name ?? (image.hasPrefix("data:") ? "data" : last)
    let facts = [file?.mediaType, file?.sizeInBytes.map(sizeText)].compactMap(\.self)
    let list = ([name] + facts + [address(of: image)]).joined(separator: ", ")
    return language(
      "image \(index + 1) of \(message.images.count): \(list)",
      "이미지 \(index + 1)/\(message.images.count): \(list)")
  }

  /// Shows a picture of the room's own files where `chafa` can; says why not
  /// otherwise. Pictures elsewhere stay a line with their address.
  func preview(_ image: String, of message: Message? = nil) async {
    let isElsewhere = image.contains("://") || image.hasPrefix("data:")
    guard !isElsewhere, transcript.options.style != .plain, let files = transport.files else {
      return
    }
    let file = message?.files.first { $0.path == image }
    let note = transferNote(
      .fetching, file?.name ?? image, sizeInBytes: file?.sizeInBytes)
    defer { transferNotes[note.number] = nil }
    do throws(TransportError) {
      let path = try await files.fetch(image, sha256: file?.sha256, progress: note.progress)
      await preview(path)
    } catch {
      say(language(Self.previewText(error)))
    }
  }

  private static func previewText(_ error: TransportError) -> LocalizedText {
    switch error.code {
    case .invalid where error.path == nil:
      LocalizedText("this image is not in the room's folder", "방 폴더에 없는 이미지입니다")
    default: error.text
    }
  }

  private func preview(_ path: String) async {
    let preview = ImagePreview(
      columns: min(60, max(1, surface.columns - 2)), rows: 16,
      hasColors: transcript.options.palette.depth != .none, environment: parts.environment)
    switch await preview.render(path) {
    case .success(let rows): show(rows, messages: 0)
    case .failure(.notInstalled):
      say(language("install chafa to see pictures here", "chafa를 설치하면 그림이 보입니다"))
    case .failure(.notAFile):
      say(language("the file of this image is not there", "이미지 파일이 없습니다"))
    case .failure(.undecodable):
      say(language("this image cannot be read", "읽을 수 없는 이미지입니다"))
    }
  }

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
