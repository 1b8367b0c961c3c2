/// What names a room: a bare name, the path of a room file, or an address.
///
/// It is read byte by byte. To Swift, a slash with a combining mark behind it
/// is another character than a slash; to the file system it is a slash.
package struct RoomAddress: Hashable, Sendable {
  /// What kind of place the room is kept in.
  package enum Place: Hashable, Sendable {
    /// A room file in the data folder, by its name without `.jsonl`.
    case named(String)
    /// A room file; the path may be relative to the working folder.
    case file(path: String)
    /// A hub behind a Unix socket.
    case socket(path: String, room: String)
    /// Whatever else stands behind a scheme. `authority` is what stands
    /// between `//` and the next `/`, `room` the rest, percent-decoded.
    case remote(scheme: String, authority: String, room: String)
  }

  package var place: Place
  /// The address as the user wrote it.
  package var text: String

  /// - Throws: ``RoomAddressError`` that says what is wrong with `text`.
  package init(_ text: String) throws(RoomAddressError) {
    self.text = text
    place = try Self.place(text)
  }

  /// What the prompt calls the room.
  package var displayName: String {
    switch place {
    case .named(let name): name
    case .file(let path): Self.nameOfFile(path)
    case .socket(_, let room): room
    case .remote("ssh", _, let path): Self.nameOfFile(path)
    case .remote(_, let authority, let room): room.isEmpty ? authority : room
    }
  }

  private static func nameOfFile(_ path: String) -> String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Substring.init) ?? path[...]
    let hasExtension = name.utf8.count > 6 && name.hasUTF8Suffix(".jsonl")
    return String(
      hasExtension ? name.prefix(upTo: name.utf8.index(name.endIndex, offsetBy: -6)) : name)
  }

  private static func place(_ text: String) throws(RoomAddressError) -> Place {
    if text.utf8.contains(0) { throw RoomAddressError(text, "it holds a NUL") }
    if let (scheme, rest) = scheme(of: text) { return try place(scheme, rest, text) }
    if text.utf8.contains(UInt8(ascii: "/")) || text[...].hasUTF8Suffix(".jsonl") {
      return try file(text, of: text)
    }
    try checkComponent(text, of: text)
    return .named(text)
  }

  private static func file(_ path: String, of text: String) throws(RoomAddressError) -> Place {
    let name = path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).last.map(Substring.init)
    if name == nil || name == "" || name == "." || name == ".." {
      throw RoomAddressError(text, "it names a folder")
    }
    return .file(path: path)
  }

  /// The scheme in lower case and what follows `://`.
  private static func scheme(of text: String) -> (scheme: String, rest: Substring)? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text[colon...].hasUTF8Prefix("://"),
      let first = text.utf8.first, isLetter(first),
      text.utf8[..<colon].allSatisfy({ isLetter($0) || "0123456789+-.".utf8.contains($0) })
    else { return nil }
    let rest = text[text.utf8.index(colon, offsetBy: 3)...]
    return (text[..<colon].lowercased(), rest)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func place(
    _ scheme: String, _ rest: Substring, _ text: String
  ) throws(RoomAddressError) -> Place {
    let end =
      rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    let authority = String(rest[..<end])
    let path = rest[end...]
    switch scheme {
    case "file":
      guard authority.isEmpty || authority == "localhost" else {
        throw RoomAddressError(text, "a file is on this machine: write file:///path")
      }
      guard path.hasUTF8Prefix("/") else {
        throw RoomAddressError(text, "a file is named by its whole path: file:///path")
      }
      return try file(try decoded(path, of: text), of: text)
    case "unix":
      return try socket(rest, text)
    default:
      // What a plugin talks to need be no host.
      let needsHost = ["tcp", "tls", "ssh"].contains(scheme)
      if needsHost || !authority.isEmpty { try checkAuthority(authority, of: text) }
      let room = try decoded(path.hasUTF8Prefix("/") ? path.dropFirstByte() : path, of: text)
      if scheme == "tcp" || scheme == "tls" { try checkHubRoom(room, of: text) }
      return .remote(scheme: scheme, authority: authority, room: room)
    }
  }

  private static func socket(_ rest: Substring, _ text: String) throws(RoomAddressError) -> Place {
    guard rest.hasUTF8Prefix("/") else {
      throw RoomAddressError(text, "a socket is named by its whole path: unix:///path?room=NAME")
    }
    let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    guard rest[mark...].hasUTF8Prefix("?room="), rest[mark...].utf8.count > 6 else {
      throw RoomAddressError(text, "it names no room: add ?room=NAME")
    }
    let room = try decoded(rest[rest.utf8.index(mark, offsetBy: 6)...], of: text)
    try checkHubRoom(room, of: text)
    return .socket(path: try decoded(rest[..<mark], of: text), room: room)
  }

  /// A host that begins with a hyphen would be an option to `ssh`.
  private static func checkAuthority(
    _ authority: String, of text: String
  ) throws(RoomAddressError) {
    let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let host = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
    if host.isEmpty { throw RoomAddressError(text, "it names no host") }
    if host.hasUTF8Prefix("-") || authority[...].hasUTF8Prefix("-") {
      throw RoomAddressError(text, "a host's name does not begin with -")
    }
    if authority.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) {
      throw RoomAddressError(text, "a host's name has no blanks and no control characters")
    }
  }

  /// In a hub, a room is one component of a path; empty is the hub's only one.
  private static func checkHubRoom(_ room: String, of text: String) throws(RoomAddressError) {
    if room.isEmpty { return }
    if room.utf8.contains(UInt8(ascii: "/")) {
      throw RoomAddressError(text, "a room of a hub has no / in its name")
    }
    try checkComponent(room, of: text)
  }

  private static func checkComponent(
    _ name: String, of text: String
  ) throws(RoomAddressError) {
    if name.isEmpty { throw RoomAddressError(text, "it is empty") }
    if name == "." || name == ".." { throw RoomAddressError(text, "it names a folder") }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw RoomAddressError(text, "its name holds a control character")
    }
    if name.utf8.count > 200 { throw RoomAddressError(text, "it is longer than 200 bytes") }
  }

  /// `text` with `%41` read as `A`.
  private static func decoded(
    _ part: Substring, of text: String
  ) throws(RoomAddressError) -> String {
    guard let bytes = percentDecoded(Array(part.utf8)[...]), !bytes.contains(0) else {
      throw RoomAddressError(text, "a % is followed by two hexadecimal digits, not both 0")
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw RoomAddressError(text, "it is not UTF-8 once its % signs are read")
    }
    return decoded
  }
}

extension Substring {
  fileprivate func hasUTF8Prefix(_ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { utf8.starts(with: $0) }
  }

  fileprivate func hasUTF8Suffix(_ suffix: StaticString) -> Bool {
    suffix.withUTF8Buffer { utf8.suffix($0.count).elementsEqual($0) }
  }

  fileprivate func dropFirstByte() -> Substring {
    self[utf8.index(after: startIndex)...]
  }
}

/// Why a text names no room.
package struct RoomAddressError: Error, CustomStringConvertible {
  package var text: String
  package var reason: String

  init(_ text: String, _ reason: String) {
    self.text = text
    self.reason = reason
  }

  package var description: String {
    "\(text.isEmpty ? "the room" : text) cannot be a room: \(reason)"
  }
}
