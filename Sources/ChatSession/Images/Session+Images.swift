internal import ChatModel
internal import FileSystem
internal import ImageAssets
internal import TerminalText
internal import Transport

/// The image action of a bubble.
extension Session {
  /// An image's address on the web, or the path where it is stored. Of one
  /// that is its own address (RFC 2397) only the beginning is worth showing.
  func address(of image: String) -> String {
    if case .data = ImageSource(image) {
      return image.prefix { $0 != "," }.prefix(40) + ",…"
    }
    return imageMap.address(of: image) ?? image
  }

  /// Where an image is had from: what was brought into the room, from there;
  /// else from the web, if it is known where.
  func source(of image: MessageImage) -> ImageSource {
    if let file = image.file { return ImageSource(image.path, sha256: file.sha256) }
    return ImageSource(imageMap.address(of: image.path) ?? image.path)
  }

  /// `/images [message] [n] [open | save FOLDER | copy]`, `/images all [page]`.
  func runImages(_ arguments: String) throws(CommandError) {
    var words = FileNames.split(arguments).words[...]
    if words.first == "all" {
      let page = words.count == 2 ? words.last.flatMap { Int($0) } : 1
      guard let page, words.count <= 2 else { throw usageOfImages(words.dropFirst()) }
      return try showContactSheet(page: page)
    }
    var named: NamedMessage?
    if let word = words.first, word.first?.isNumber == true {
      named = try self.named(words.removeFirst())
    }
    let room = named?.room ?? current
    guard let entry = named?.entry ?? room.timeline.newest(where: hasShownImages) else {
      throw CommandError(language("no message here has images", "이미지가 있는 메시지가 없습니다"))
    }
    let range = try takeRange(&words, of: entry, in: room)
    try act(words, on: range, of: entry.message, in: room)
  }

  private func usageOfImages(_ words: ArraySlice<String>) -> CommandError {
    let said = words.joined(separator: " ")
    return CommandError(
      language(
        "not \(said): /images [message] [n] [open, save FOLDER, copy], or /images all [page]",
        "\(said) 아님: /images [메시지] [번호] [open, save 폴더, copy], 또는 /images all [쪽]"))
  }

  /// The images that the words name, counted from 0.
  private func takeRange(
    _ words: inout ArraySlice<String>, of entry: TimelineEntry, in room: JoinedRoom
  ) throws(CommandError) -> Range<Int> {
    let count = entry.message.images.count
    guard count > 0 else {
      let number = numbers.number(of: entry.id, in: room.number)
      throw CommandError(
        language("message \(number) has no images", "\(number)번은 이미지가 없는 메시지입니다"))
    }
    guard let word = words.first, word.first?.isNumber == true else { return 0..<count }
    words.removeFirst()
    guard let number = Int(word), (1...count).contains(number) else {
      throw CommandError(
        language(
          "there is no image \(word); it has \(count)", "\(word)번째 이미지는 없습니다. 모두 \(count)개입니다"))
    }
    return number - 1..<number
  }

  private func act(
    _ words: ArraySlice<String>, on range: Range<Int>, of message: Message, in room: JoinedRoom
  ) throws(CommandError) {
    let rest = words.dropFirst()
    switch words.first {
    case nil: showImages(range, of: message, in: room)
    case "save":
      guard rest.count < 2 else { throw usageOfImages(rest.dropFirst()) }
      guard let folder = try folder(ofWord: rest.first ?? "") else {
        throw CommandError(
          language(
            "name a folder: /images save ~/Downloads", "폴더를 지정하세요: /images save ~/받은파일"))
      }
      saveImages(range, of: message, in: room, to: folder)
    case "open", "copy":
      guard rest.isEmpty else { throw usageOfImages(rest) }
      if words.first == "open" { return openImages(range, of: message, in: room) }
      var addresses: [String] = []
      for index in range { addresses.append(try copyableAddress(index, of: message, in: room)) }
      copy(addresses.joined(separator: "\n"))
    default: throw usageOfImages(words.prefix(1))
    }
  }

  private func hasShownImages(_ entry: TimelineEntry) -> Bool {
    !entry.message.images.isEmpty && !settings.ignored.contains(entry.message.profileID)
  }

  /// What an image is called: as its sender called it, or the end of its path.
  func name(of image: MessageImage) -> String {
    image.file?.name ?? fileName(ofPath: image.path) ?? language("image", "이미지")
  }

  // MARK: - Fetching

  /// Fetches an image, with a word at the prompt while that takes long.
  func fetch(_ image: MessageImage, in room: JoinedRoom) async -> Gallery.Found {
    guard !isTooLarge(image) else {
      return .failure(.tooLarge(limitInBytes: ImageLimits().fileBytes))
    }
    let source = source(of: image)
    let gallery = gallery(of: room)
    // Of what is in the room, ``storedFile(_:_:in:)`` knows how far it is.
    guard case .web = source else { return await gallery.image(source) }
    return await fetching(name(of: image)) { _ in await gallery.image(source) }
  }

  /// Whether a message itself says that an image is too large to be shown.
  func isTooLarge(_ image: MessageImage) -> Bool {
    (image.file?.sizeInBytes ?? 0) > Int64(ImageLimits().fileBytes)
  }

  /// Fetches images and uses each in its turn: only so many ahead of that as are
  /// fetched at once, so that what is kept of them does not give way to later ones.
  /// Ends when its task is cancelled; what was given up is passed over.
  /// - Parameters:
  ///   - fetch: how they are fetched.
  ///   - use: is told which of `images` it is, from 0.
  func fetchAll<Value: Sendable>(
    _ images: some Sequence<MessageImage>,
    by fetch: @escaping @MainActor (MessageImage) async -> Result<Value, ImageFailure>,
    _ use: (_ index: Int, _ found: Result<Value, ImageFailure>) async -> Void
  ) async {
    var waiting = Array(images)[...]
    var fetches: [Task<Result<Value, ImageFailure>, Never>] = []
    defer { for fetch in fetches { fetch.cancel() } }
    for index in waiting.indices {
      while fetches.count < max(1, settings.parallelFetches), let image = waiting.popFirst() {
        fetches.append(Task { await fetch(image) })
      }
      let next = fetches.removeFirst()
      // All at once: else one that ends lets the next begin.
      let unwanted = [next] + fetches
      let found = await withTaskCancellationHandler {
        await next.value
      } onCancel: {
        for fetch in unwanted { fetch.cancel() }
      }
      guard !Task.isCancelled else { return }
      if case .failure(.cancelled) = found { continue }
      await use(index, found)
    }
  }

  /// The same, of images as they are shown.
  func fetchAll(
    _ images: some Sequence<MessageImage>, in room: JoinedRoom,
    _ use: (_ index: Int, _ found: Gallery.Found) async -> Void
  ) async {
    await fetchAll(images, by: { [self] in await fetch($0, in: room) }, use)
  }

  /// The images of a room.
  func gallery(of room: JoinedRoom) -> Gallery {
    if let gallery = room.gallery { return gallery }
    let gallery = Gallery(settings, parts.folders, parts.environment, turns: fetchTurns) {
      [weak self, weak room] path, sha256 in
      guard let self, let room else { throw CancellationError() }
      return try await self.storedFile(path, sha256, in: room)
    }
    room.gallery = gallery
    return gallery
  }

  /// What a ``Gallery`` has stored files from.
  private func storedFile(
    _ path: String, _ sha256: String?, in room: JoinedRoom
  ) async throws -> OpenFile {
    guard let files = room.transport.files else { throw ImageFailure.refusedByRoom }
    let file = reference(to: path, in: room)
    let limit = Int64(ImageLimits().fileBytes)
    do throws(TransportError) {
      return try await fetching(file?.name ?? path, sizeInBytes: file?.sizeInBytes) {
        progress throws(TransportError) in
        try await files.fetch(path, sha256: sha256, limit: limit, progress: progress)
      }
    } catch {
      let limit = min(limit, room.transport.capabilities.maximumFileBytes ?? limit)
      throw ImageFailure(error, room: room.name, limit: limit)
    }
  }

  /// What the newest message that has a stored file says of it.
  private func reference(to path: String, in room: JoinedRoom) -> FileReference? {
    // What is at hand takes no time that is worth a word.
    guard room.isRemote else { return nil }
    let entry = room.timeline.newest { $0.message.files.contains { $0.path == path } }
    return entry?.message.files.first { $0.path == path }
  }
}
