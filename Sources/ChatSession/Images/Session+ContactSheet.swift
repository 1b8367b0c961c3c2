internal import ChatModel
internal import ImageAssets
internal import TerminalText

/// All images of a room.
extension Session {
  /// The images of the room that are loaded side by side, with their messages'
  /// numbers; on the first page the newest.
  func showContactSheet(page: Int) throws(CommandError) {
    let room = current
    let all = room.timeline.entries.filter {
      !settings.ignored.contains($0.message.profileID)
    }.flatMap { entry in entry.message.attachedImages.map { (image: $0, id: entry.id) } }
    guard !all.isEmpty else {
      return say(language("no message here has images", "이미지가 있는 메시지가 없습니다"))
    }
    let pageCount = (all.count - 1) / Self.imageLimit + 1
    guard (1...pageCount).contains(page) else {
      throw CommandError(
        language(
          "there is no page \(page); there are \(pageCount)", "\(page)쪽은 없습니다. 모두 \(pageCount)쪽입니다")
      )
    }
    if pageCount > 1 { say(note(onPage: page, of: pageCount, imageCount: all.count)) }
    let shown = Array(all.dropLast((page - 1) * Self.imageLimit).suffix(Self.imageLimit))
    run { [self] in
      var sheet = emptySheet
      await fetchAll(shown.map(\.image), in: room) { index, found in
        let label =
          "\(numbers.number(of: shown[index].id, in: room.number)) \(name(of: shown[index].image))"
        sheet.add(label, await cell(found, columns: sheet.cellColumns))
        guard sheet.isFull, !Task.isCancelled else { return }
        show(sheet.rows, messages: 0)
        sheet = emptySheet
      }
      guard !Task.isCancelled else { return }
      show(sheet.rows, messages: 0)
    }
  }

  private var emptySheet: ContactSheet {
    ContactSheet(columns: min(surface.columns - 1, 100), measure: measure)
  }

  /// Which of all images these are, and how others are had.
  private func note(onPage page: Int, of pageCount: Int, imageCount: Int) -> String {
    let place =
      page == 1
      ? language(
        "the newest \(Self.imageLimit) of \(imageCount) images that are loaded",
        "불러온 이미지 \(imageCount)개 중 최근 \(Self.imageLimit)개")
      : language("page \(page) of \(pageCount)", "\(pageCount)쪽 중 \(page)쪽")
    guard page < pageCount else { return place }
    return place
      + language(
        "; /images all \(page + 1) shows those before them",
        ". 그 전은 /images all \(page + 1)")
  }

  private var measure: TextMeasure { transcript.options.measure }

  /// The picture of an image in characters, or the reason why there is none.
  private func cell(_ found: Gallery.Found, columns: Int) async -> [String] {
    switch found {
    case .success(let file):
      let picture =
        showsPictures
        ? await pictures.picture(
          of: file, columns: columns, rows: min(ContactSheet.cellRows, shownRows), by: .blocks,
          colorCount: colorCount, isAsked: true) : nil
      if case .success(let picture)? = picture { return picture.rows }
      return ["\(file.header.size.width)×\(file.header.size.height)"]
    case .failure(let failure):
      return transcript.wrappedNote(language(failure.text), columns: columns)
    }
  }
}
