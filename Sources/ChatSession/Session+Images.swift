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
    guard words.count > 1 else { return showImages(Array(images.enumerated()), of: images.count) }
    guard let index = Int(words[1]), index >= 1, index <= images.count else {
      throw CommandError(
        language(
          "there is no image \(words[1]); it has \(images.count)",
          "\(words[1])번째 이미지는 없습니다. 모두 \(images.count)개입니다"))
    }
    showImages([(index - 1, images[index - 1])], of: images.count)
  }

  private func hasShownImages(_ entry: TimelineEntry) -> Bool {
    !entry.message.images.isEmpty && !settings.ignored.contains(entry.message.profileID)
  }

  private func showImages(_ images: [(offset: Int, element: String)], of count: Int) {
    for (index, image) in images {
      let isData = image.hasPrefix("data:")
      let name = isData ? "data" : image.split(separator: "/").last.map(String.init) ?? image
      say(
        language(
          "image \(index + 1) of \(count): \(name), \(address(of: image))",
          "이미지 \(index + 1)/\(count): \(name), \(address(of: image))"))
      preview(image)
    }
  }

  /// Shows a picture of the room's own folder where `chafa` can; says why not
  /// otherwise. Pictures elsewhere stay a line with their address.
  func preview(_ image: String) {
    let isElsewhere = image.contains("://") || image.hasPrefix("data:")
    guard !isElsewhere, transcript.options.style != .plain, let files = transport.files else {
      return
    }
    let path = files.location(of: image)
    guard let path else {
      return say(language("this image is not in the room's folder", "방 폴더에 없는 이미지입니다"))
    }
    let preview = ImagePreview(
      columns: min(60, max(1, surface.columns - 2)), rows: 16,
      hasColors: transcript.options.palette.depth != .none, environment: parts.environment)
    run { [self] in
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
    run { [self] in
      var message = makeMessage(caption.isEmpty ? nil : caption)
      do throws(TransportError) {
        for path in paths {
          let file = try await files.store(path)
          if file.mediaType?.hasPrefix("image/") == true {
            message.images.append(file.path)
          } else {
            message.files.append(file)
          }
        }
        submit(.message(message))
      } catch {
        returnLine("/attach \(arguments)", language(error.text))
      }
    }
  }
}
