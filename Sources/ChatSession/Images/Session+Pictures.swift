internal import ChatModel
internal import ImageAssets
internal import TerminalText

/// Showing pictures.
extension Session {
  /// As many as a list shows; each can be had by its number.
  static let imageLimit = 50
  /// How much of a name is shown before what else there is to say.
  private static let nameColumns = 40
  /// How large pictures are, at most; a third of the screen stays for words.
  private static let pictureColumns = 80
  private static let thumbnailColumns = 32
  private static let thumbnailRows = 8

  /// A line about each image, and the picture where one can be shown.
  func showImages(_ range: Range<Int>, of message: Message, in room: JoinedRoom) {
    run { [self] in
      let images = message.attachedImages
      let shown = range.prefix(Self.imageLimit)
      await fetchAll(images[shown], in: room) { offset, found in
        show(rows(forImage: shown.lowerBound + offset, of: images, found), messages: 0)
        if case .success(let file) = found { await show(file) }
      }
      guard range.count > Self.imageLimit else { return }
      let rest = range.count - Self.imageLimit
      say(
        language(
          "and \(rest) more: /images MESSAGE \(Self.imageLimit + 1) shows the next",
          "그리고 \(rest)개 더. 번호로 하나씩 볼 수 있습니다"))
    }
  }

  /// Whether a picture can be shown to somebody who asks for it.
  var canShowPictures: Bool {
    transcript.options.style != .plain && settings.graphics != GraphicsProtocol.none
      && surface.showsPictures
  }

  /// Whether pictures are shown that nobody has asked for.
  private var showsThumbnails: Bool { settings.inlineImages == .thumbnails && canShowPictures }

  /// How many rows a picture may have.
  var shownRows: Int { max(1, surface.rows * 2 / 3) }

  /// Shows a picture as large as there is room; says why not otherwise.
  func show(_ file: ImageFile) async {
    switch await picture(of: file, columns: Self.pictureColumns, rows: .max, isAsked: true) {
    case .success(let picture)?: show(picture.rows, messages: 0)
    case .failure(.cancelled)?, nil: break
    case .failure(let failure)?: say(language(failure.text))
    }
  }

  /// Nil where none is shown.
  /// - Parameters:
  ///   - columns, rows: the most, where the screen has room for them.
  private func picture(
    of file: ImageFile, columns: Int, rows: Int, isAsked: Bool
  ) async -> Result<Picture, ImageFailure>? {
    var made: Result<Picture, ImageFailure>?
    // The screen may have got another size meanwhile, and not for ever again.
    for _ in 0..<3 {
      guard canShowPictures else { return nil }
      let size = (min(columns, max(1, surface.columns - 2)), min(rows, shownRows))
      made = await pictures.picture(
        of: file, columns: size.0, rows: size.1, by: settings.graphics, colorCount: colorCount,
        isAsked: isAsked)
      if size == (min(columns, max(1, surface.columns - 2)), min(rows, shownRows)) { break }
    }
    return made
  }

  var colorCount: Int {
    switch transcript.options.palette.depth {
    case .none: 2
    case .trueColor: 1 << 24
    default: 256
    }
  }

  /// `image 1 of 2: cat.png, 640×480, 83 KB, https://…`
  private func rows(
    forImage index: Int, of images: [MessageImage], _ found: Gallery.Found
  ) -> [String] {
    let image = images[index]
    var facts = [transcript.fitted(name(of: image), columns: Self.nameColumns)]
    switch found {
    case .success(let file): facts += self.facts(of: file)
    case .failure(let failure): facts.append(language(failure.text))
    }
    let list = facts.joined(separator: ", ")
    let text = language(
      "image \(index + 1) of \(images.count): \(list)",
      "이미지 \(index + 1)/\(images.count): \(list)")
    let address = address(of: image.path)
    // What the room keeps has no address that anybody could go to.
    if case .stored = ImageSource(address) { return noteRows(text) }
    return transcript.noteRows(text, address: address)
  }

  /// `640×480`, `image/png`, `83 KB`
  func facts(of file: ImageFile) -> [String] {
    [
      "\(file.header.size.width)×\(file.header.size.height)", file.header.type.mediaType,
      sizeText(Int64(file.sizeInBytes)),
    ]
  }

  // MARK: - What arrives

  /// Fetches the images of a message ahead, as far as the settings say, and
  /// shows them small where they are to be shown with it.
  func noteImages(of message: Message, in room: JoinedRoom, isNew: Bool) {
    let images = imagesFetchedAhead(of: message)
    if isNew, showsThumbnails { sayTooLarge(of: message, in: room) }
    guard !images.isEmpty else { return }
    let gallery = gallery(of: room)
    if isNew, showsThumbnails, gallery.hasRoomOnTheWay {
      return showThumbnails(Array(images.prefix(Self.imageLimit)), of: message, in: room)
    }
    gallery.prefetch(images.map(source))
  }

  /// Which images of a message are not shown small since they are too large, as the
  /// message itself says.
  private func sayTooLarge(of message: Message, in room: JoinedRoom) {
    guard !settings.ignored.contains(message.profileID) else { return }
    let number = numbers.number(of: message.id, in: room.number)
    for image in message.attachedImages.prefix(Self.imageLimit)
    where isTooLarge(image) && isWanted(image) {
      let label = transcript.fitted("\(number) \(name(of: image))", columns: Self.nameColumns)
      let failure = ImageFailure.tooLarge(limitInBytes: ImageLimits().fileBytes)
      say("\(label): \(language(failure.text))")
    }
  }

  /// Gives up what is fetched ahead and is wanted no more: its message was
  /// deleted, its author is ignored, or the settings are others now.
  func dropUnwantedImages(of room: JoinedRoom) {
    // Where nobody has asked for any, none is fetched.
    guard let gallery = room.gallery else { return }
    let timeline = room.timeline
    gallery.cancelOnTheWay { id, images in
      guard settings.inlineImages == .thumbnails, let entry = timeline.entry(id) else {
        return false
      }
      return Set(images).isSubset(of: imagesFetchedAhead(of: entry.message).map(\.path))
    }
    let wanted = timeline.entries.flatMap { entry in
      imagesFetchedAhead(of: entry.message).map(source)
    }
    gallery.cancelPrefetches(besides: Set(wanted))
  }

  /// The images of a message that are fetched before anybody has asked for them.
  private func imagesFetchedAhead(of message: Message) -> [MessageImage] {
    guard settings.inlineImages != .off, !settings.ignored.contains(message.profileID) else {
      return []
    }
    return message.attachedImages.filter(isFetchedAhead)
  }

  private func isFetchedAhead(_ image: MessageImage) -> Bool {
    !isTooLarge(image) && isWanted(image)
  }

  private func isWanted(_ image: MessageImage) -> Bool {
    switch source(of: image) {
    case .stored: settings.prefetch != .off
    case .web: settings.prefetch == .all
    // There is nothing to fetch.
    case .data: true
    }
  }

  private func showThumbnails(
    _ images: [MessageImage], of message: Message, in room: JoinedRoom
  ) {
    gallery(of: room).bring(images.map(\.path), of: message.id) { [self] in
      await fetchAll(images, in: room) { index, found in
        await showThumbnail(images[index], of: message, in: room, found)
      }
    }
  }

  /// Shows `12 cat.png` and the small picture below it, or why there is none.
  private func showThumbnail(
    _ image: MessageImage, of message: Message, in room: JoinedRoom, _ found: Gallery.Found
  ) async {
    guard !Task.isCancelled else { return }
    let number = numbers.number(of: message.id, in: room.number)
    let label = "\(number) \(name(of: image))"
    var picture: Result<Picture, ImageFailure>?
    switch found {
    case .success(let file):
      picture = await self.picture(
        of: file, columns: Self.thumbnailColumns, rows: Self.thumbnailRows, isAsked: false)
    case .failure(let failure): picture = .failure(failure)
    }
    // It takes a while, in which it may have been deleted.
    guard !Task.isCancelled else { return }
    switch picture {
    case .success(let picture)?: show([transcript.factRow(label)] + picture.rows, messages: 0)
    case .failure(let failure)? where isWorthTelling(failure):
      let name = transcript.fitted(label, columns: Self.nameColumns)
      say("\(name): \(language(failure.text))")
    default: break
    }
  }

  /// A program that is missing is told of once: it concerns every image.
  private func isWorthTelling(_ failure: ImageFailure) -> Bool {
    guard case .notInstalled(let program) = failure else { return failure != .cancelled }
    return missingPrograms.insert(program).inserted
  }
}
