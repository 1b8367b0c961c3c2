import ChatModel

/// Bubble style: boxes at the left and, for one's own messages, at the right.
///
/// The number and, where a run begins, the name stand in the upper border, the
/// marks in the lower one. The time stands beside the lower border; where
/// there is little room, within it.
extension Transcript {
  /// From so many columns on the time has a place beside the bubble.
  private static let columnsForLabelBeside = 40
  /// Longer rows are hard to read.
  private static let maximalTextColumns = 72

  /// Appends the box of a message, and its reactions below.
  mutating func appendBubble(_ item: Item, to bytes: inout [UInt8]) {
    let isBeside = options.area >= Self.columnsForLabelBeside
    let limit =
      isBeside
      ? min(options.area - labelColumns - 1 - BubbleBox.frameColumns, Self.maximalTextColumns)
      : options.area - BubbleBox.frameColumns
    var box = BubbleBox(
      sender: item.sender, isMention: item.isMention, options: options, glyphs: glyphs)
    box.title = bubbleTitle(of: item)
    box.foot = (isBeside ? item.marks : [label] + item.marks).joined(separator: glyphs.separator)
    for block in bubbleBlocks(of: item) { box.add(wrap(block, columns: limit)) }
    if options.measure.columns(box.foot) > limit {
      // The marks do not fit into the border, so they get rows of their own.
      box.add(wrap("(\(item.marks.joined(separator: ", ")))", columns: limit))
      box.foot = isBeside ? "" : label
    }
    box.close(limit: limit)
    box.append(label: isBeside ? label : "", columns: isBeside ? labelColumns : 0, to: &bytes)
    appendReactions(of: item, to: &bytes)
  }

  /// Number, name and room; the name only where a run begins, and not one's
  /// own, which the side tells.
  private mutating func bubbleTitle(of item: Item) -> String {
    let message = item.text.shown.entry.message
    let current = Run(
      profileID: message.profileID, name: item.text.shown.senderName, room: item.text.shown.room,
      minute: item.minute)
    let isContinued = current == run
    run = current
    var title = item.text.shown.number.map { "\($0)" } ?? ""
    func add(_ part: String) { title += title.isEmpty ? part : glyphs.separator + part }
    if !isContinued {
      if !item.sender.isOwn, !message.isAction || item.text.shown.entry.isDeleted {
        add(item.sender.name)
      }
      if let room = item.text.shown.room { add(field(room, columns: 24, options: options)) }
    }
    return title
  }

  private func bubbleBlocks(of item: Item) -> [TextBlock] {
    let text = item.text
    var blocks = text.body(of: item.sender)
    if let reply = text.reply() {
      blocks.insert(
        TextBlock(text: "> \(reply.name): \(reply.excerpt)", isOneRow: true), at: 0)
    }
    return blocks
  }

  private mutating func appendReactions(of item: Item, to bytes: inout [UInt8]) {
    if item.text.shown.entry.reactions.isEmpty { return }
    let text = item.text.reactions()
    let wrapped = wrap(text, columns: options.area - 4)
    for row in wrapped.rows where row.columns > 0 {
      bytes.append(blanks: item.sender.isOwn ? options.area - row.columns - 2 : 2)
      bytes.append(row, of: wrapped.text)
      bytes.endRow()
    }
  }
}
