import ChatModel

/// One bubble with what stands around it.
extension HTMLWriter {
  /// Appends a message.
  ///
  /// Each says its name and its time, for those who listen; for those who look,
  /// the style hides what the message before or after it shows already.
  mutating func append(
    _ readable: ReadableMessage, of message: ArchivedMessage, _ place: PlaceInRun,
    to buffer: inout [UInt8]
  ) {
    let anchor = anchor(ofMessage: message.entry.id, in: message.room)
    let id = anchor.map { " id=\"\($0)\"" } ?? ""
    buffer.write("<article\(id)\(place == .sameMinute ? " class=\"same\"" : "")>\n")
    appendName(of: readable, isFirst: place == .first, to: &buffer)
    buffer.write("<div class=\"row\">\n<div class=\"\(bubbleClass(of: readable))\">\n")
    if let quote = readable.quote { append(quote, in: message, to: &buffer) }
    if let content = readable.content ?? (readable.isAction ? "" : nil) {
      let actor = readable.isAction && !readable.isDeleted ? "<b>\(html(readable.name))</b> " : ""
      buffer.write("<p class=\"text\" dir=\"auto\">\(actor)\(html(content, readable.styles))</p>\n")
    }
    for attachment in readable.attachments {
      append(attachment, in: message.roomAddress, to: &buffer)
    }
    buffer.write("</div>\n")
    appendSide(of: readable, at: message.entry.time, to: &buffer)
    buffer.write("</div>\n")
    append(readable.reactions, to: &buffer)
    buffer.write("</article>\n")
  }

  private func bubbleClass(of message: ReadableMessage) -> String {
    if message.isDeleted { return "bubble gone" }
    return message.isAction ? "bubble action" : "bubble"
  }

  /// Appends name and room; an action has its name in the bubble.
  private func appendName(
    of message: ReadableMessage, isFirst: Bool, to buffer: inout [UInt8]
  ) {
    var parts: [String] = []
    if !message.isAction || message.isDeleted {
      let isSeen = isFirst && (!message.isOwn || options.namesOwn)
      parts.append("<bdi\(isSeen ? "" : " class=\"heard\"")>\(html(message.name))</bdi>")
    }
    if isFirst, let room = message.room {
      parts.append("<bdi class=\"room\">\(html(room))</bdi>")
    }
    if parts.isEmpty { return }
    buffer.write("<p class=\"name\">\(parts.joined(separator: " "))</p>\n")
  }

  private func append(
    _ quote: ReadableMessage.Quote, in message: ArchivedMessage, to buffer: inout [UInt8]
  ) {
    let target = message.entry.message.replyTo.flatMap { anchor(ofMessage: $0, in: message.room) }
    let excerpt = "<span dir=\"auto\">\(html(quote.excerpt))</span>"
    buffer.write("<blockquote><p><span class=\"heard\">\(options.wording.reply)</span> ")
    if let name = quote.name { buffer.write("<cite dir=\"auto\">\(html(name))</cite> ") }
    buffer.write(target.map { "<a href=\"#\($0)\">\(excerpt)</a>" } ?? excerpt)
    buffer.write("</p></blockquote>\n")
  }

  private mutating func append(
    _ attachment: ReadableMessage.Attachment, in room: String, to buffer: inout [UInt8]
  ) {
    guard attachment.isImage else { return appendName(of: attachment, to: &buffer) }
    let file = attachment.file
    let key = PageImageKey(room: room, path: file.path, sha256: file.sha256)
    if let number = embedded[key] {
      return appendName(
        of: attachment, options.wording.above, at: "#image-\(number)", to: &buffer)
    }
    switch options.image(file, room) {
    case .embedded(let image) where image.isAllowed:
      embedded[key] = embedded.count + 1
      buffer.write("<p class=\"image\" id=\"image-\(embedded.count)\">")
      buffer.write("<img alt=\"\(html(attachment.name))\" src=\"data:")
      buffer.write("\(image.mediaType);base64,")
      buffer.write(base64: image.bytes)
      buffer.write("\" /></p>\n")
    case .leftOut(let reason):
      appendName(of: attachment, options.wording.leftOut(reason), to: &buffer)
    case .embedded, .named: appendName(of: attachment, to: &buffer)
    }
  }

  /// Appends what stands for a file, or for an image that is not here.
  /// - Parameters:
  ///   - note: what is to be known of it besides.
  ///   - place: where in the page it is.
  private func appendName(
    of attachment: ReadableMessage.Attachment, _ note: String? = nil, at place: String? = nil,
    to buffer: inout [UInt8]
  ) {
    let what = attachment.isImage ? options.wording.image : options.wording.file
    let notes = [attachment.size, note.map(html)].compactMap(\.self).joined(separator: ", ")
    let small = notes.isEmpty ? "" : " <small>\(notes)</small>"
    let name = "<bdi>\(html(attachment.name))</bdi>"
    let link = attachment.address.map { address in
      "<a href=\"\(html(address.text))\" rel=\"\(linkRelation)\">\(name)</a>"
    }
    let inPage = place.map { "<a href=\"\($0)\">\(name)</a>" }
    buffer.write("<p class=\"file\"><small>\(what)</small> \(inPage ?? link ?? name)\(small)</p>\n")
  }

  /// What stands beside the bubble: marks, and the time.
  private func appendSide(
    of message: ReadableMessage, at time: Timestamp, to buffer: inout [UInt8]
  ) {
    buffer.write("<p class=\"side\">")
    for mark in message.marks { buffer.write("<span class=\"mark\">\(mark)</span> ") }
    buffer.write("<time datetime=\"\(time.rfc3339)\">\(message.label)</time></p>\n")
  }

  private func append(
    _ reactions: [(text: String, count: Int)], to buffer: inout [UInt8]
  ) {
    if reactions.isEmpty { return }
    let wording = options.wording
    buffer.write("<ul class=\"reactions\" aria-label=\"\(wording.reactions)\">")
    for (text, count) in reactions {
      let shown = count > 1 ? "<bdi>\(html(text))</bdi> \(count)" : "<bdi>\(html(text))</bdi>"
      let heard = html(wording.reaction(text, count: count))
      buffer.write("<li><span aria-hidden=\"true\">\(shown)</span>")
      buffer.write("<span class=\"heard\">\(heard)</span></li>")
    }
    buffer.write("</ul>\n")
  }
}
