import FoundationEssentials

@testable import ChatModel

/// The event format once more, as `Codable` has it: what the codec is held
/// against.
struct MirroredEvent: Decodable {
  /// nil when the type is unknown.
  let event: Event?

  /// What `JSONDecoder` makes of a line; an error when it takes it for none.
  static func decode(_ line: [UInt8]) throws -> Event? {
    try JSONDecoder().decode(MirroredEvent.self, from: Data(line)).event
  }

  init(from decoder: any Decoder) throws {
    _ = try AnyValue(from: decoder)
    let fields = Fields(container: try decoder.container(keyedBy: Name.self))
    event =
      switch try fields.string("type") {
      case nil, "message": .message(try fields.message())
      case "edit":
        .edit(
          Edit(
            eventID: try fields.requiredID("eventID"),
            messageID: try fields.requiredID("messageID"),
            profileID: try fields.requiredID("profileID"), content: try fields.text("content"),
            createdAt: fields.createdAt))
      case "delete":
        .deletion(
          Deletion(
            eventID: try fields.requiredID("eventID"),
            messageID: try fields.requiredID("messageID"),
            profileID: try fields.requiredID("profileID"), createdAt: fields.createdAt))
      case "reaction": .reaction(try fields.reaction())
      case "profile": .profile(try fields.profile())
      case "presence":
        .presence(
          Presence(
            eventID: try fields.requiredID("eventID"),
            profileID: try fields.requiredID("profileID"),
            isPresent: try fields.bool("present") ?? true, createdAt: fields.createdAt))
      case "notice":
        .notice(
          Notice(
            eventID: try fields.requiredID("eventID"), content: try fields.text("content"),
            createdAt: fields.createdAt))
      default: nil
      }
  }
}

/// Any name of a field.
private struct Name: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// Any value, read to its bottom: `JSONDecoder` itself does not look at the
/// strings and numbers that nobody asks for.
private struct AnyValue: Decodable {
  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      for name in object.allKeys { _ = try object.decode(AnyValue.self, forKey: name) }
    } else if var list = try? decoder.unkeyedContainer() {
      while !list.isAtEnd { _ = try list.decode(AnyValue.self) }
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() || (try? value.decode(Bool.self)) != nil { return }
      if (try? value.decode(Double.self)) == nil { _ = try value.decode(String.self) }
    }
  }
}

/// An id as text or as a whole number.
private struct MirroredID: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else {
      text = String(try container.decode(Int64.self))
    }
  }
}

private struct MirroredFile: Decodable {
  let path: String
  let name: String?
  let mediaType: String?
  let size: Int64?
  let sha256: String?
}

private struct Missing: Error {}

private struct Fields {
  let container: KeyedDecodingContainer<Name>

  func string(_ name: String) throws -> String? {
    try container.decodeIfPresent(String.self, forKey: Name(name))
  }

  func text(_ name: String) throws -> String {
    try container.decode(String.self, forKey: Name(name))
  }

  func bool(_ name: String) throws -> Bool? {
    try container.decodeIfPresent(Bool.self, forKey: Name(name))
  }

  func id(_ name: String) throws -> String? {
    try container.decodeIfPresent(MirroredID.self, forKey: Name(name))?.text
  }

  func requiredID(_ name: String) throws -> String {
    guard let id = try id(name), !id.isEmpty else { throw Missing() }
    return id
  }

  var createdAt: Timestamp? {
    (try? string("createdAt")).flatMap { $0 }.flatMap { Timestamp(rfc3339: $0) }
  }

  func message() throws -> Message {
    let files = try container.decodeIfPresent([MirroredFile].self, forKey: Name("files")) ?? []
    let message = Message(
      id: try requiredID("messageID"), profileID: try requiredID("profileID"),
      profileName: try string("profileName"), profileImage: try string("profileImage"),
      content: try string("content"),
      images: try container.decodeIfPresent([String].self, forKey: Name("images")) ?? [],
      files: try files.map { file in
        if let size = file.size, size < 0 { throw Missing() }
        return FileReference(
          path: file.path, name: file.name, mediaType: file.mediaType, sizeInBytes: file.size,
          sha256: file.sha256)
      },
      createdAt: createdAt, replyTo: try id("replyTo"), isAction: try bool("action") ?? false,
      isTruncated: try bool("truncated") ?? false)
    if message.content == nil && message.images.isEmpty && message.files.isEmpty { throw Missing() }
    return message
  }

  func reaction() throws -> Reaction {
    Reaction(
      eventID: try requiredID("eventID"), messageID: try requiredID("messageID"),
      profileID: try requiredID("profileID"), reaction: try text("reaction"),
      isRemoved: try bool("removed") ?? false, createdAt: createdAt)
  }

  func profile() throws -> ProfileChange {
    let own = ["type", "eventID", "profileID", "profileName", "profileImage", "createdAt"]
    var further: [String: String] = [:]
    for name in container.allKeys where !own.contains(name.stringValue) {
      further[name.stringValue] = try? container.decode(String.self, forKey: name)
    }
    return ProfileChange(
      eventID: try requiredID("eventID"), profileID: try requiredID("profileID"),
      profileName: try string("profileName"), profileImage: try string("profileImage"),
      fields: further, createdAt: createdAt)
  }
}
