internal import ChatModel
package import TerminalText
package import Transport

/// What the user wants of a server, from the address and the plugin's settings.
package struct SessionSettings: Sendable {
  package var address: IRCAddress
  package var nick: String
  package var user: String
  package var realName: String
  /// The account to log in to; nil for none.
  package var account: String?
  /// The only mechanism of SASL to use; nil for the best that both know.
  package var mechanism: String?
  /// Whether the server itself wants a password (PASS).
  package var hasServerPassword: Bool
  /// Whether that password may go over the network without TLS.
  var tellsPasswordOpenly: Bool
  /// Whether one is a program.
  var isBot: Bool
  /// Whether coming and going is told.
  package var tellsJoins: Bool
  /// Whether a channel is entered again after being kicked.
  package var rejoins: Bool
  /// Files in PEM form: one's own certificate, its key, issuers to trust.
  package var certificate: String?
  package var key: String?
  package var issuers: String?
  /// The SHA-256 of the only certificate to accept, in hexadecimal.
  package var pin: String?
  package var language: Language

  /// - Throws: what is wrong with the address or a setting.
  package init(_ hello: Hello, language: Language) throws(ProtocolError) {
    let wording = Wording(language: language)
    let address = hello.address.map(IRCAddress.init) ?? .nowhere
    guard let address else {
      throw ProtocolError(.invalid, wording.badAddress(hello.address ?? ""), code: "address")
    }
    // Nothing can be said at a server where one is nowhere.
    guard hello.address == nil || !address.room.isEmpty else {
      throw ProtocolError(.invalid, wording.noRoom(""), code: "address")
    }
    let settings = hello.settings
    func setting(_ name: String) -> String? {
      settings[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    func flag(_ name: String, _ standard: Bool) -> Bool {
      setting(name).map { ["true", "yes", "on", "1"].contains($0.lowercased()) } ?? standard
    }
    self.address = address
    self.language = language
    let profile = hello.profile
    let name = address.nick ?? setting("nick") ?? profile?.name ?? profile?.id ?? ""
    nick = Nick.possible(name) ?? Nick.possible(profile?.id ?? "") ?? "guest"
    user = setting("user").flatMap(Nick.possible) ?? "banter"
    realName = setting("realName") ?? profile?.displayName ?? nick
    account = setting("account")
    mechanism = setting("sasl")?.uppercased()
    hasServerPassword = flag("serverPassword", false)
    tellsPasswordOpenly = flag("plainPassword", false)
    isBot = flag("bot", false)
    tellsJoins = flag("joins", true)
    rejoins = flag("rejoin", true)
    certificate = setting("certificate")
    key = setting("key")
    issuers = setting("issuers")
    pin = setting("pin").map { $0.filter(\.isHexDigit).lowercased() }
  }

  package init(address: IRCAddress, nick: String, language: Language = .english) {
    self.address = address
    self.nick = nick
    self.language = language
    (user, realName) = ("banter", nick)
    (account, mechanism, certificate, key, issuers, pin) = (nil, nil, nil, nil, nil, nil)
    (hasServerPassword, tellsJoins, rejoins) = (false, true, true)
    (tellsPasswordOpenly, isBot) = (false, false)
  }
}

/// Names by which people are called.
enum Nick {
  /// A name without what no server takes in a nick; nil where nothing is left.
  static func possible(_ name: String) -> String? {
    let forbidden = Set(" ,*?!@.:#&$%+~=\r\n\0".unicodeScalars)
    let kept = name.unicodeScalars.filter { $0.value > 0x20 && !forbidden.contains($0) }
    var text = String(String.UnicodeScalarView(kept.prefix(64)))
    while let first = text.utf8.first, first == UInt8(ascii: "-") || isDigit(first) {
      text.removeFirst()
    }
    return text.isEmpty ? nil : text
  }

  /// Another name that is not taken yet, of so many bytes at most.
  static func other(than nick: String, attempt: Int, limit: Int) -> String {
    let tail = attempt == 1 ? "_" : "_\(attempt)"
    var head = nick
    while !head.isEmpty, head.utf8.count + tail.utf8.count > max(limit, tail.utf8.count + 1) {
      head.removeLast()
    }
    return head + tail
  }

  /// The name in the letters that every server takes; nil where none is left.
  static func plain(_ nick: String) -> String? {
    let kept = nick.utf8.filter {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || isDigit($0)
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    return possible(IRCText.decode(kept))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
