import ChatModel

/// Plain style: text first, then in parentheses whose it is and when.
extension Transcript {
  /// Appends the rows of a message, one for each of its lines.
  mutating func appendPlain(_ item: Item, to bytes: inout [UInt8]) {
    let text = item.text
    let body = text.body(of: item.sender).map(\.text).joined(separator: "\n")
    appendUnwrapped("\(body) (\(plainDetails(of: item, text)))", to: &bytes)
  }

  /// Name, room, what it answers, time, marks, reactions, number.
  private func plainDetails(of item: Item, _ text: MessageText) -> String {
    var details: [String] = []
    if !item.text.shown.entry.message.isAction || item.text.shown.entry.isDeleted {
      details.append(item.sender.name)
    }
    if let room = item.text.shown.room {
      details.append(field(room, columns: 40, options: options))
    }
    if let reply = text.reply() {
      let wording = Wording(language: options.language)
      details.append(wording.inReply(to: reply.name, reply.excerpt))
    }
    details.append(label)
    details.append(contentsOf: item.marks)
    let reactions = text.reactions(separator: " ")
    if !reactions.isEmpty { details.append(reactions) }
    if let number = item.text.shown.number { details.append("\(number)") }
    return details.joined(separator: ", ")
  }
}
