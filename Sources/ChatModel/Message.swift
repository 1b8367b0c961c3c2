/// One bubble: what somebody said once in a room.
///
/// Two messages are equal when their ids are.
package struct Message: Identifiable, Sendable {
  package var id: String
  package var profileID: String
  /// The author's name as it was when this was written; nil or empty when the
  /// writer gave none.
  package var profileName: String?
  /// A stored path or an address of the author's picture.
  package var profileImage: String?
  package var content: String?
  /// How parts of the content look; in order, none within another.
  package var styles: [StyledRange]
  /// Stored paths or addresses, in the order in which they are shown.
  package var images: [String]
  package var files: [FileReference]
  /// When the author's clock said that it was written; nil when the writer
  /// gave none, or something that is not a date.
  package var createdAt: Timestamp?
  /// The id of the message that this one answers.
  package var replyTo: String?
  /// Whether it is a `/me`: told about the author rather than said by them.
  package var isAction: Bool
  /// Whether only the beginning is here, since the event was too large.
  package var isTruncated: Bool

  package init(
    id: String, profileID: String, profileName: String? = nil, profileImage: String? = nil,
    content: String? = nil, styles: [StyledRange] = [], images: [String] = [],
    files: [FileReference] = [],
    createdAt: Timestamp? = nil, replyTo: String? = nil, isAction: Bool = false,
    isTruncated: Bool = false
  ) {
    self.id = id
    self.profileID = profileID
    self.profileName = profileName
    self.profileImage = profileImage
    self.content = content
    self.styles = styles
    self.images = images
    self.files = files
    self.createdAt = createdAt
    self.replyTo = replyTo
    self.isAction = isAction
    self.isTruncated = isTruncated
  }

  /// About how much memory its texts take.
  var sizeInBytes: Int {
    var size = 256 + id.utf8.count + profileID.utf8.count
    size += profileName?.utf8.count ?? 0
    size += profileImage?.utf8.count ?? 0
    size += content?.utf8.count ?? 0
    size += styles.count * MemoryLayout<StyledRange>.stride
    size += replyTo?.utf8.count ?? 0
    for image in images { size += 16 + image.utf8.count }
    for file in files {
      let texts = [file.path, file.name, file.mediaType, file.sha256]
      size += texts.reduce(128) { $0 + ($1?.utf8.count ?? 0) }
    }
    return size
  }
}

extension Message: Hashable {
  package static func == (one: Message, other: Message) -> Bool {
    one.id == other.id
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// A file that belongs to a message, named by where it is stored.
package struct FileReference: Hashable, Sendable {
  /// The stored path; a room maps it to where the file can be had.
  package var path: String
  /// The name that the sender's file had.
  package var name: String?
  /// The media type (RFC 6838), such as `image/png`.
  package var mediaType: String?
  package var sizeInBytes: Int64?
  /// The SHA-256 of the contents, as 64 hexadecimal digits.
  package var sha256: String?

  package init(
    path: String, name: String? = nil, mediaType: String? = nil, sizeInBytes: Int64? = nil,
    sha256: String? = nil
  ) {
    self.path = path
    self.name = name
    self.mediaType = mediaType
    self.sizeInBytes = sizeInBytes
    self.sha256 = sha256
  }
}
