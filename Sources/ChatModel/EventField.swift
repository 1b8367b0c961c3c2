/// The names that the format gives a meaning.
enum EventField: Int, CaseIterable {
  case type, messageID, eventID, profileID, profileName, profileImage, content, styles, images,
    files
  case createdAt, replyTo, action, truncated, reaction, removed, present
  case path, name, mediaType, size, sha256

  /// What a profile event says by itself; all else there is one of the
  /// profile's further fields.
  static let ofProfile: [Self] = [
    .type, .eventID, .profileID, .profileName, .profileImage, .createdAt,
  ]

  private static let names = allCases.map { "\($0)" }

  private static let quotedNames = names.map { Array("\"\($0)\":".utf8) }

  /// The field's name in the object.
  var name: String { Self.names[rawValue] }

  /// The name as it stands before its value, in quotes and with the colon.
  var quotedName: [UInt8] { Self.quotedNames[rawValue] }

  private static let keys = names.map { name in
    Array(name.utf8).withUnsafeBytes { Key($0) }
  }

  /// The field of that name in UTF-8.
  init?(name: UnsafeRawBufferPointer) {
    guard let candidate = Self.candidate(for: name), Self.keys[candidate.rawValue] == Key(name)
    else { return nil }
    self = candidate
  }

  /// The only field that a name of this length can be, by its first letter.
  private static func candidate(for name: UnsafeRawBufferPointer) -> Self? {
    guard let first = name.first, let last = name.last else { return nil }
    return switch (name.count, Unicode.Scalar(first)) {
    case (4, "t"): .type
    case (4, "n"): .name
    case (4, "p"): .path
    case (4, "s"): .size
    case (5, "f"): .files
    case (6, "i"): .images
    case (6, "a"): .action
    case (6, "s"): last == UInt8(ascii: "s") ? .styles : .sha256
    case (7, "c"): .content
    case (7, "e"): .eventID
    case (7, "p"): .present
    case (7, "r"): last == UInt8(ascii: "o") ? .replyTo : .removed
    case (8, "r"): .reaction
    case (9, "c"): .createdAt
    case (9, "m"): last == UInt8(ascii: "D") ? .messageID : .mediaType
    case (9, "p"): .profileID
    case (9, "t"): .truncated
    case (11, "p"): .profileName
    case (12, "p"): .profileImage
    default: nil
    }
  }

  /// All bytes of a name of 4 to 16 bytes: its first and its last half, which
  /// may overlap. Of two names of one length, equal keys are equal names.
  private struct Key: Equatable {
    var head: UInt64
    var tail: UInt64

    init(_ name: UnsafeRawBufferPointer) {
      if name.count < 8 {
        head = UInt64(name.loadUnaligned(as: UInt32.self))
        tail = UInt64(name.loadUnaligned(fromByteOffset: name.count - 4, as: UInt32.self))
      } else {
        head = name.loadUnaligned(as: UInt64.self)
        tail = name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
      }
    }
  }
}
