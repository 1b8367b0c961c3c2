internal import ChatModel

/// An image of a message, with what that says of it.
struct MessageImage {
  /// A stored path or an address.
  var path: String
  /// Nil where the message does not have it among its files.
  var file: FileReference?
}

extension Message {
  /// Its images in their order, each with its file.
  var attachedImages: [MessageImage] {
    let files = filesByPath
    return images.map { MessageImage(path: $0, file: files[$0]) }
  }
}
