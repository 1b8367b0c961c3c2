/// A room file on another machine, `ssh://[user@]host[:port]/abs/path.jsonl`.
package struct SSHAddress: Hashable, Sendable {
  /// `[user@]host` as ssh(1) takes it: no brackets, never beginning with `-`.
  package var destination: String
  /// 1 to 65535; nil is what the user's ssh settings say.
  package var port: Int?
  /// The whole path of the file.
  package var path: String

  /// Nil where one of them is missing or wrong.
  /// - Parameters:
  ///   - authority: what stands before the path.
  ///   - room: the path without its first slash.
  package init?(authority: String, room: String) {
    let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
    let user = at.map { String(authority[..<$0]) }
    var host = at.map { authority[authority.utf8.index(after: $0)...] } ?? authority[...]
    let isBracketed = host.utf8.first == UInt8(ascii: "[")
    let end = isBracketed ? host.utf8.lastIndex(of: UInt8(ascii: "]")) : host.startIndex
    guard let end else { return nil }
    if let colon = host[end...].utf8.lastIndex(of: UInt8(ascii: ":")) {
      let digits = host[host.utf8.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
        (1...65_535).contains(port)
      else { return nil }
      self.port = port
      host = host[..<colon]
    }
    if isBracketed {
      guard host.utf8.last == UInt8(ascii: "]") else { return nil }
      host = host.dropFirst().dropLast()
    } else if host.utf8.contains(UInt8(ascii: ":")) {
      return nil
    }
    guard let first = host.utf8.first, first != UInt8(ascii: "-"), user != "",
      user?.utf8.first != UInt8(ascii: "-"),
      room.utf8.count > 6, room.utf8.suffix(6).elementsEqual(".jsonl".utf8)
    else { return nil }
    destination = user.map { "\($0)@\(host)" } ?? String(host)
    path = "/" + room
  }

  /// What ssh(1) is started with: it never asks at a terminal, carries nothing
  /// but the line, and notices a dead way.
  /// - Parameter asks: whether it may ask something at all.
  func arguments(asks: Bool) -> [String] {
    let options = [
      "BatchMode=\(asks ? "no" : "yes")", "ServerAliveInterval=10", "ServerAliveCountMax=3",
      "RemoteCommand=none", "ClearAllForwardings=yes", "ControlMaster=no",
    ]
    var arguments = ["-T", "-a", "-x"]
    for option in options { arguments += ["-o", option] }
    if let port { arguments += ["-p", String(port)] }
    return arguments + ["--", destination, "banter serve --stdio \(Self.quoted(path))"]
  }

  /// A word that a shell reads as `text`, whatever is in it (POSIX, Shell
  /// Command Language, 2.2.2).
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "'")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "'") { bytes += "'\\'".utf8 }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "'"))
    return String(decoding: bytes, as: UTF8.self)
  }
}
