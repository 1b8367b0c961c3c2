package import ChatModel
package import TerminalText

/// A form in which messages can be taken away.
package enum ExportFormat: String, Sendable, CaseIterable {
  /// Lines to read, which act on no terminal.
  case text
  /// CommonMark.
  case markdown
  /// One page that needs nothing else, with bubbles.
  case html
  /// The events themselves, which can be read back.
  case jsonl
}

/// What an export depends on beside the messages.
package struct ExportOptions: Sendable {
  /// The names of the rooms that are exported, for the title. Where there is
  /// more than one, each message tells its own.
  package var rooms: [String]
  /// The language of all that is not the messages' own.
  package var language: Language
  /// How hours are counted.
  package var clock: ClockFormat
  /// Where the days begin.
  package var zone: TimeZoneRule
  /// Whose messages are one's own; one may have several ids.
  package var ownProfileIDs: Set<String>
  /// Whether one's own messages have names too, since one has spoken under
  /// several.
  package var namesOwn: Bool
  /// The image that a message names by its stored path or address, with what
  /// that says of it; `room` is ``ArchivedMessage/roomAddress``. Only
  /// ``ExportFormat/html`` asks.
  package var image: @Sendable (_ file: FileReference, _ room: String) -> PageImage

  /// Options for an export of these rooms, which by itself has no images.
  package init(
    rooms: [String], language: Language = .english, clock: ClockFormat = .automatic,
    zone: TimeZoneRule = .system, ownProfileIDs: Set<String> = [], namesOwn: Bool = false,
    image: @escaping @Sendable (_ file: FileReference, _ room: String) -> PageImage = {
      _, _ in .named
    }
  ) {
    self.rooms = rooms
    self.language = language
    self.clock = clock
    self.zone = zone
    self.ownProfileIDs = ownProfileIDs
    self.namesOwn = namesOwn
    self.image = image
  }

  /// Whether each message tells its room.
  var showsRooms: Bool { rooms.count > 1 }

  /// What the export itself says.
  var wording: ExportWording { ExportWording(language: language) }

  /// What the export is called: the rooms, of which three are named.
  var title: String {
    let names = rooms.prefix(3).map { field($0, columns: 40) }.filter { !$0.isEmpty }
    if names.isEmpty { return "Banter" }
    let rest = rooms.count - 3
    let all = names.joined(separator: ", ")
    return rest > 0 ? "\(all) \(wording.more(rest))" : all
  }
}

/// What becomes of an image in a page.
package enum PageImage: Sendable {
  /// It is in the page.
  case embedded(EmbeddedImage)
  /// The page tells that it is not there, and why, in the user's language.
  case leftOut(reason: String)
  /// Its name stands for it, with its address where it is on the web.
  case named
}

/// The contents of an image, to be written into a page.
package struct EmbeddedImage: Sendable {
  /// The whole file.
  package var bytes: [UInt8]
  /// Only `image/png`, `image/jpeg`, `image/gif` and `image/webp` are embedded,
  /// others named: in these nothing but pixels can be.
  package var mediaType: String

  /// An image of that media type (RFC 6838).
  package init(bytes: [UInt8], mediaType: String) {
    self.bytes = bytes
    self.mediaType = mediaType
  }

  private static let mediaTypes: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp",
  ]

  /// Whether it is of a type that may stand in a page.
  var isAllowed: Bool { Self.mediaTypes.contains(mediaType) && !bytes.isEmpty }
}
