extension RoomAddress {
  /// The room of that name at the same far side, or in the same folder of
  /// another machine; nil where there is no far side, or where a room there
  /// cannot be called so.
  package func sibling(named name: String) -> RoomAddress? {
    let room = Self.encoded(name)
    switch place {
    case .named, .file: return nil
    case .socket(let path, _): return try? RoomAddress("unix://\(Self.encoded(path))?room=\(room)")
    case .remote("ssh", let authority, let path):
      let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      let suffix = path.hasSuffix(".jsonl") && !name.hasSuffix(".jsonl") ? ".jsonl" : ""
      return try? RoomAddress("ssh://\(authority)/\(Self.encoded(String(parent)))\(room)\(suffix)")
    case .remote(let scheme, let authority, _):
      return try? RoomAddress("\(scheme)://\(authority)/\(room)")
    }
  }

  /// What rooms at the same far side have in common; nil for files.
  package var farSide: String? {
    switch place {
    case .named, .file: nil
    case .socket(let path, _): "unix://\(path)"
    case .remote(let scheme, let authority, _): "\(scheme)://\(authority)"
    }
  }

  /// A name that tells the room from others of its name: with the folder or the
  /// host where it is.
  package var qualifiedName: String {
    func last(_ path: Substring) -> String {
      path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "/"
    }
    switch place {
    case .named(let name): return name
    case .file(let path):
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] }
      return folder.map { "\(displayName)@\(last($0))" } ?? "\(displayName)@."
    case .socket(let path, let room): return "\(room)@\(last(path[...]))"
    case .remote(let scheme, let authority, _):
      return "\(displayName)@\(authority.isEmpty ? scheme : authority)"
    }
  }

  /// With `%41` for what would be read as something else.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
