package import TransportSecurity

/// Who may come in by name and password.
package struct Account: Sendable {
  /// The name, prepared for logins (RFC 4013); it is also the profile's id.
  package var name: String
  package var verifier: ScramVerifier
  /// The rooms that may be entered; nil for all.
  package var rooms: Set<String>?
  package var isReadOnly: Bool

  package init(
    name: String, verifier: ScramVerifier, rooms: Set<String>? = nil, isReadOnly: Bool = false
  ) {
    self.name = name
    self.verifier = verifier
    self.rooms = rooms
    self.isReadOnly = isReadOnly
  }

  package func mayEnter(_ room: String) -> Bool { rooms?.contains(room) ?? true }
}

/// The accounts of a hub: a file for its owner only, beside the rooms, with a
/// line each: the name, the verifier, the rooms (`*`, or names with `/`
/// between) and `rw` or `ro`, with tabs between. It holds no passwords. One
/// line more has a secret by which names are answered that have no account.
package struct AccountFile: Sendable {
  package let path: String

  /// What the file says.
  package struct Contents: Sendable {
    /// By name.
    package var accounts: [String: Account] = [:]
    /// See ``HubConfiguration/loginSecret``; nil where there is none yet.
    package var secret: [UInt8]?
    /// Lines that nobody understands, which are kept.
    package var unreadableLines: [String] = []
  }

  package init(path: String) {
    self.path = path
  }

  /// The path of the accounts of what is served.
  package init(of place: HubConfiguration.Place) {
    switch place {
    case .folder(let folder): self.init(path: "\(folder)/.accounts")
    case .file(let file): self.init(path: "\(file).accounts")
    }
  }

  /// Everything that is in the file; nothing when it is not there.
  package func read() throws(TLSError) -> Contents {
    let text = String(decoding: try LockedFile.contents(of: path), as: UTF8.self)
    var contents = Contents()
    for line in text.split(whereSeparator: \.isNewline) {
      if let account = Self.account(line) {
        contents.accounts[account.name] = account
      } else if line.hasPrefix(Self.secretMark) {
        contents.secret = Base64.decode(String(line.dropFirst(Self.secretMark.count)))
      } else {
        contents.unreadableLines.append(String(line))
      }
    }
    return contents
  }

  /// Adds an account, or puts it in the place of the one of that name.
  package func add(_ account: Account) throws(TLSError) {
    try change { $0[account.name] = account }
  }

  /// Puts what `make` makes of the account of a name, nil where there is none,
  /// in its place.
  /// - Returns: what there was before, and what is there now.
  package func update(
    _ name: String, _ make: (Account?) -> Account
  ) throws(TLSError) -> (before: Account?, now: Account) {
    var accounts: (before: Account?, now: Account)?
    try change { all in
      let before = all[name]
      let now = make(before)
      all[name] = now
      accounts = (before, now)
    }
    guard let accounts else { preconditionFailure("the change was made") }
    return accounts
  }

  /// - Returns: whether there was an account of that name.
  package func remove(_ name: String) throws(TLSError) -> Bool {
    var wasThere = false
    try change { wasThere = $0.removeValue(forKey: name) != nil }
    return wasThere
  }

  private func change(_ body: (inout [String: Account]) -> Void) throws(TLSError) {
    let file = try LockedFile(path)
    var contents = try read()
    body(&contents.accounts)
    let secret = contents.secret ?? randomBytes(32)
    let lines =
      [Self.secretMark + Base64.encode(secret)] + contents.unreadableLines
      + contents.accounts.values.sorted { $0.name < $1.name }.map(Self.line)
    try file.replace(lines.map { $0 + "\n" }.joined())
  }

  private static let secretMark = "\tsecret\t"

  private static func line(_ account: Account) -> String {
    let rooms = account.rooms.map { $0.sorted().joined(separator: "/") } ?? "*"
    let right = account.isReadOnly ? "ro" : "rw"
    return "\(account.name)\t\(account.verifier.text)\t\(rooms)\t\(right)"
  }

  /// Nil for a line that is none: who cannot be read does not come in.
  private static func account(_ line: Substring) -> Account? {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard parts.count == 4, let verifier = ScramVerifier(text: String(parts[1])),
      parts[3] == "rw" || parts[3] == "ro"
    else { return nil }
    let rooms = parts[2] == "*" ? nil : Set(parts[2].split(separator: "/").map(String.init))
    return Account(
      name: String(parts[0]), verifier: verifier, rooms: rooms, isReadOnly: parts[3] == "ro")
  }
}
