/// What names a room: a bare name, the path of a room file, or an address.
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
    case .remote(_, let authority, let room): room.isEmpty ? authority : room
    }
  }

  private static func nameOfFile(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".jsonl") ? String(name.dropLast(6)) : name
  }

  private static func place(_ text: String) throws(RoomAddressError) -> Place {
    if text.utf8.contains(0) { throw RoomAddressError(text, "it holds a NUL") }
    if let (scheme, rest) = scheme(of: text) { return try place(scheme, rest, text) }
    if text.contains("/") || text.hasSuffix(".jsonl") {
      if text.hasSuffix("/") { throw RoomAddressError(text, "it names a folder") }
      return .file(path: text)
    }
    try checkComponent(text, of: text)
    return .named(text)
  }

  /// The scheme in lower case and what follows `://`.
  private static func scheme(of text: String) -> (scheme: String, rest: Substring)? {
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
    let scheme = text[..<colon].lowercased()
    guard
      let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
      })
    else { return nil }
    return (scheme, text[text.index(colon, offsetBy: 3)...])
  }

  private static func place(
    _ scheme: String, _ rest: Substring, _ text: String
  ) throws(RoomAddressError) -> Place {
    let slash = rest.firstIndex(where: { $0 == "/" || $0 == "#" }) ?? rest.endIndex
    let authority = String(rest[..<slash])
    let path = String(rest[slash...])
    switch scheme {
    case "file":
      guard authority.isEmpty || authority == "localhost" else {
        throw RoomAddressError(text, "a file is on this machine: write file:///path")
      }
      return .file(path: try decoded(path, of: text))
    case "unix":
      return try socket(authority + path, text)
    default:
      guard !authority.isEmpty else { throw RoomAddressError(text, "it names no host") }
      guard !authority.hasPrefix("-") else {
        throw RoomAddressError(text, "a host's name does not begin with -")
      }
      let room = try decoded(path.hasPrefix("/") ? String(path.dropFirst()) : path, of: text)
      return .remote(scheme: scheme, authority: authority, room: room)
    }
  }

  private static func socket(_ path: String, _ text: String) throws(RoomAddressError) -> Place {
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard path.hasPrefix("/") else {
      throw RoomAddressError(text, "a socket is named by its whole path: unix:///path?room=NAME")
    }
    guard parts.count == 2, parts[1].hasPrefix("room="), parts[1].utf8.count > 5 else {
      throw RoomAddressError(text, "it names no room: add ?room=NAME")
    }
    let room = try decoded(String(parts[1].dropFirst(5)), of: text)
    return .socket(path: try decoded(String(parts[0]), of: text), room: room)
  }

  private static func checkComponent(
    _ name: String, of text: String
  ) throws(RoomAddressError) {
    if name.isEmpty { throw RoomAddressError(text, "it is empty") }
    if name == "." || name == ".." { throw RoomAddressError(text, "it names a folder") }
    if name.utf8.count > 200 { throw RoomAddressError(text, "it is longer than 200 bytes") }
  }

  /// `text` with `%41` read as `A`.
  private static func decoded(
    _ part: String, of text: String
  ) throws(RoomAddressError) -> String {
    var bytes: [UInt8] = []
    var rest = part.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
        rest.count >= 2, rest.first != UInt8(ascii: "+"), value != 0
      else { throw RoomAddressError(text, "a % is followed by two hexadecimal digits") }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw RoomAddressError(text, "it is not UTF-8 once its % signs are read")
    }
    return decoded
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
