internal import ChatModel
internal import ImageAssets
internal import TerminalText

/// All images of a room.
extension Session {
  /// The images of the room that are loaded side by side, each with the numbers by
  /// which `/images` knows it, or a line about each where no pictures are shown; on
  /// the first page the newest.
  func showContactSheet(page: Int) throws(CommandError) {
    let room = current
    let all = room.timeline.entries.filter {
      !settings.ignored.contains($0.message.profileID)
    }.flatMap { entry in
      entry.message.attachedImages.enumerated().map { (image: $1, id: entry.id, number: $0 + 1) }
    }
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
    let note = pageCount > 1 ? note(onPage: page, of: pageCount, imageCount: all.count) : nil
    let shown = Array(all.dropLast((page - 1) * Self.imageLimit).suffix(Self.imageLimit))
    run { [self] in
      var sheet = emptySheet
      var missing: ImageFailure?
      await fetchAll(shown.map(\.image), in: room) { index, found in
        let number = numbers.number(of: shown[index].id, in: room.number)
        let label = "\(number).\(shown[index].number) \(name(of: shown[index].image))"
        guard canShowPictures, missing == nil else { return sayLine(label, found) }
        switch await cell(found, columns: sheet.cellColumns) {
        case .success(let rows): sheet.add(label, rows)
        case .failure(let failure): missing = failure
        }
        guard sheet.isFull || missing != nil, !Task.isCancelled else { return }
        show(sheet.rows, messages: 0)
        sheet = emptySheet
        if missing != nil { sayLine(label, found) }
      }
      guard !Task.isCancelled else { return }
      show(sheet.rows, messages: 0)
      if let missing { say(language(missing.text)) }
      if !canShowPictures {
        say(
          language(
            "/images MESSAGE NUMBER open shows one outside of the terminal",
            "/images 메시지 번호 open으로 터미널 밖에서 볼 수 있습니다"))
      }
      if let note { say(note) }
    }
  }

  /// `12.2 cat.png, 640×480, 83 KB`
  private func sayLine(_ label: String, _ found: Gallery.Found) {
    let rest =
      switch found {
      case .success(let file): self.facts(of: file).joined(separator: ", ")
      case .failure(let failure): language(failure.text)
      }
    say("\(transcript.fitted(label, columns: 40)), \(rest)")
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
  /// - Returns: a failure where a program is missing, and so all others would be the
  ///   same.
  private func cell(
    _ found: Gallery.Found, columns: Int
  ) async -> Result<[String], ImageFailure> {
    func words(_ failure: ImageFailure) -> [String] {
      transcript.wrappedNote(language(failure.text), columns: columns)
    }
    switch found {
    case .success(let file):
      let picture = await pictures.picture(
        of: file, columns: columns, rows: min(ContactSheet.cellRows, shownRows), by: .blocks,
        colorCount: colorCount, isAsked: true)
      let size = "\(file.header.size.width)×\(file.header.size.height)"
      switch picture {
      case .success(let picture)?: return .success(picture.rows)
      case .failure(.notInstalled(let program))?:
        return .failure(.notInstalled(program: program))
      case .failure(let failure)?: return .success([size] + words(failure))
      case nil: return .success([size])
      }
    case .failure(let failure): return .success(words(failure))
    }
  }
}
