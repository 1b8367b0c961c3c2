internal import ChatModel
internal import ImageAssets
internal import TerminalText

/// All images of a room.
extension Session {
  /// The newest images of the room side by side, with their messages' numbers.
  func showContactSheet() {
    let room = current
    let all = room.timeline.entries.filter { !settings.ignored.contains($0.message.profileID) }
      .flatMap { entry in entry.message.images.map { ($0, entry.message) } }
      .suffix(Self.imageLimit)
    guard !all.isEmpty else {
      return say(language("no message here has images", "이미지가 있는 메시지가 없습니다"))
    }
    run { [self] in
      var sheet = ContactSheet(columns: min(surface.columns - 1, 100), measure: measure)
      let columns = sheet.cellColumns
      await fetchAll(Array(all), in: room) { index, found in
        let (image, message) = all[all.startIndex + index]
        let label =
          "\(numbers.number(of: message.id, in: room.number)) \(name(of: image, in: message))"
        sheet.add(label, await cell(found, columns: columns))
      }
      guard !Task.isCancelled else { return }
      show(sheet.rows, messages: 0)
    }
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
          colorCount: colorCount) : nil
      if case .success(let picture)? = picture { return picture.rows }
      return ["\(file.header.size.width)×\(file.header.size.height)"]
    case .failure(let failure): return [neutralized(language(failure.text))]
    }
  }
}
