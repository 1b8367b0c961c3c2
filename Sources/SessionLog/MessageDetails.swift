import ChatModel

/// The fields of a message that most messages do not have, as the event's JSON.
enum MessageDetails {
  /// - Returns: nil when there are none.
  static func encode(_ message: Message) -> String? {
    let isPlain =
      message.styles.isEmpty && message.images.isEmpty && message.files.isEmpty
      && message.profileImage == nil
      && message.replyTo == nil && !message.isAction && !message.isTruncated
    guard !isPlain else { return nil }
    var details = message
    // These have columns; but an event is read back only with ids and content,
    // and styles only with what they are of.
    (details.id, details.profileID) = ("-", "-")
    if message.styles.isEmpty { details.content = "" }
    (details.profileName, details.createdAt) = (nil, nil)
    return EventCodec.encode(.message(details))
  }

  /// Puts the fields back into a message.
  static func apply(_ text: String?, to message: inout Message) {
    guard let text, case .message(let details)? = try? EventCodec.decode(text) else { return }
    message.styles = details.content == message.content ? details.styles : []
    message.images = details.images
    message.files = details.files
    message.profileImage = details.profileImage
    message.replyTo = details.replyTo
    message.isAction = details.isAction
    message.isTruncated = details.isTruncated
  }
}
