import ChatModel
import TerminalText

/// A message as people read it, for every format that is read: all of its
/// words neutralised, and none of them escaped yet.
struct ReadableMessage {
  /// The message that another answers, in one line.
  struct Quote {
    /// nil when the message is not known.
    var name: String?
    var excerpt: String
  }

  /// An image or a file.
  struct Attachment {
    var isImage: Bool
    /// Just as the message says.
    var file: FileReference
    var name: String
    /// Its size for people.
    var size: String?
    /// Where it can be had, if that is on the web.
    var address: WebAddress?
  }

  /// nil when there is only one.
  var room: String?
  var name: String
  var isOwn: Bool
  /// The time of day.
  var label: String
  /// nil when there is none.
  var content: String?
  /// How parts of the content look.
  var styles: [StyledRange]
  var isAction: Bool
  var isDeleted: Bool
  var quote: Quote?
  var attachments: [Attachment]
  /// Each with how many people it is from, who are more than none.
  var reactions: [(text: String, count: Int)]
  /// What is to be known beside what it says.
  var marks: [String]

  /// What was said, in the words of a format without pictures: an action with
  /// the name before it.
  var spokenContent: String? {
    guard isAction, !isDeleted else { return content }
    return content.map { "* \(name) \($0)" } ?? "* \(name)"
  }

  /// The reactions in one line; empty without any.
  var reactionLine: String {
    reactions.map { $0.count > 1 ? "\($0.text) \($0.count)" : $0.text }.joined(separator: "  ")
  }
}

extension ReadableMessage.Attachment {
  /// What it is, for a format without pictures: `image: photo.png, 12.4 KB`.
  func description(_ wording: ExportWording) -> String {
    let what = "\(isImage ? wording.image : wording.file): \(name)"
    return size.map { "\(what), \($0)" } ?? what
  }
}
