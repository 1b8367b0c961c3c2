import ChatModel

/// A part of a message's body.
struct TextBlock {
  /// Neutralised already.
  var text: String
  /// Whether it is cut rather than wrapped.
  var isOneRow = false
  /// How parts of it look.
  var styles: [StyledRange] = []
}

/// The words of a message, apart from how they are laid out.
struct MessageText {
  /// The message, not neutralised.
  let shown: ShownMessage
  /// What the words depend on.
  let options: TranscriptOptions

  private var wording: Wording { Wording(language: options.language) }
  private var entry: TimelineEntry { shown.entry }

  /// Fields such as file names are cut to so many columns.
  static let fieldColumns = 60

  /// What was said, then the images and files; never empty.
  func body(of sender: Sender) -> [TextBlock] {
    if entry.isDeleted { return [TextBlock(text: wording.deleted)] }
    var blocks: [TextBlock] = []
    if let content = content(of: sender) {
      blocks.append(TextBlock(text: content.text, styles: content.styles))
    }
    for (index, image) in entry.message.attachedImages.enumerated() {
      let name = (image.file?.name ?? fileName(ofPath: image.path)).map(nonEmpty)
      let size = image.file?.sizeInBytes.map(sizeText)
      blocks.append(TextBlock(text: wording.image(index + 1, name, size: size)))
    }
    for file in entry.message.otherFiles {
      let name = nonEmpty(file.name ?? fileName(ofPath: file.path) ?? "")
      blocks.append(TextBlock(text: wording.file(name, size: file.sizeInBytes.map(sizeText))))
    }
    if blocks.isEmpty { blocks.append(TextBlock(text: wording.empty)) }
    return blocks
  }

  private func content(of sender: Sender) -> StyledText? {
    guard let raw = entry.message.content else { return nil }
    var content = StyledText(paragraph: raw, options.showsStyles ? entry.message.styles : [])
    let isEmpty = content.text.isEmpty
    guard entry.message.isAction else { return isEmpty ? nil : content }
    content.prepend(isEmpty ? "* \(sender.name)" : "* \(sender.name) ")
    return content
  }

  /// The message that this one answers, by name and excerpt.
  func reply() -> (name: String, excerpt: String)? {
    guard let replied = shown.repliedTo, !entry.isDeleted else { return nil }
    let row = String(replied.excerpt.prefix(Self.fieldColumns * 4).map { $0.isNewline ? " " : $0 })
    return (
      displayName(replied.name, id: "", options: options),
      field(row, columns: Self.fieldColumns, options: options)
    )
  }

  /// All that is to be known about the message beside what it says.
  func marks(of sender: Sender, isMention: Bool, lateDay: String?) -> [String] {
    var marks: [String] = []
    if case .failed(let reason) = shown.delivery {
      marks.append(wording.failed(field(reason, columns: Self.fieldColumns, options: options)))
    }
    if shown.delivery == .pending { marks.append(wording.pending) }
    if isMention { marks.append(wording.mention) }
    if entry.isLate { marks.append(lateDay.map { wording.late(on: $0) } ?? wording.late) }
    if entry.isEdited, !entry.isDeleted { marks.append(wording.edited) }
    if entry.message.isTruncated, !entry.isDeleted { marks.append(wording.truncated) }
    if sender.isMixed { marks.append(wording.mixedScripts) }
    return marks
  }

  /// The reactions in one line, with counts above one; empty without any.
  func reactions(separator: String = "  ") -> String {
    entry.reactions.filter { !$0.profileIDs.isEmpty }.map { tally in
      let reaction = reaction(tally.reaction)
      return tally.profileIDs.count > 1 ? "\(reaction) \(tally.profileIDs.count)" : reaction
    }.joined(separator: separator)
  }

  /// What an update says.
  func sentence(of update: MessageUpdate, by sender: Sender, time: String) -> String {
    let subject = wording.subject(number: shown.number, time: time)
    switch update {
    case .edited:
      let content = paragraph(entry.message.content ?? "")
      return wording.edited(
        subject, by: sender.name, content.isEmpty ? wording.empty : content)
    case .deleted:
      return wording.deleted(subject, by: sender.name)
    case .reacted(let name, let reaction, let removed):
      return wording.reacted(
        subject, by: displayName(name, id: "", options: options), self.reaction(reaction),
        removed: removed)
    }
  }

  private func reaction(_ text: String) -> String {
    let reaction = field(text, columns: 20, options: options)
    return reaction.isEmpty ? "?" : reaction
  }

  /// Content without the blank lines around it.
  private func paragraph(_ raw: String) -> String {
    withoutBlankEnds(neutralized(raw, .paragraph))
  }

  private func nonEmpty(_ name: String) -> String {
    let name = field(name, columns: Self.fieldColumns, options: options)
    return name.isEmpty ? "?" : name
  }
}

/// `text` without blank lines at its beginning and blanks at its end; the
/// indentation of its first line stays.
func withoutBlankEnds(_ text: String) -> String {
  guard let first = text.utf8.first, let last = text.utf8.last else { return text }
  if first > 0x20, last > 0x20, last < 0x80 { return text }
  return String(text[contentRange(of: text)])
}

/// What is between blank lines at the beginning of `text` and blanks at its
/// end.
func contentRange(of text: String) -> Range<String.Index> {
  var rest = Substring(text)
  while let character = rest.last, character.isWhitespace { rest.removeLast() }
  while let newline = rest.firstIndex(where: { !$0.isWhitespace || $0.isNewline }),
    rest[newline].isNewline
  {
    rest = rest[rest.index(after: newline)...]
  }
  return rest.startIndex..<rest.endIndex
}
