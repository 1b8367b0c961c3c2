/// An image of a message, with what that says of it.
package struct MessageImage {
  /// A stored path or an address.
  package var path: String
  /// Nil where the message does not have it among its files.
  package var file: FileReference?

  package init(path: String, file: FileReference? = nil) {
    (self.path, self.file) = (path, file)
  }
}

extension Message {
  /// Its images in their order, each with its file.
  package var attachedImages: [MessageImage] { attachments.images }

  /// Its files that are no images, in their order.
  package var otherFiles: [FileReference] { attachments.files }

  /// Files with the same contents may have the same path: each is the file of
  /// one image, in their order, as long as there are enough.
  private var attachments: (images: [MessageImage], files: [FileReference]) {
    var unused = Dictionary(grouping: files.indices, by: { files[$0].path })
    var last: [String: FileReference] = [:]
    let images = images.map { path in
      if let index = unused[path]?.first {
        unused[path]?.removeFirst()
        last[path] = files[index]
      }
      return MessageImage(path: path, file: last[path])
    }
    let isUnused = Set(unused.values.joined())
    return (images, files.indices.filter(isUnused.contains).map { files[$0] })
  }
}
