/// What a server can do besides IRC of the 1990s, and what of it is on (IRCv3
/// capability negotiation, version 302).
struct CapabilityNegotiation {
  /// What is of use here. Only what was offered is asked for.
  static let wanted: Set<String> = [
    "message-tags", "server-time", "batch", "echo-message", "labeled-response",
    "account-notify", "account-tag", "extended-join", "away-notify", "chghost", "setname",
    "invite-notify", "standard-replies", "multi-prefix", "userhost-in-names", "cap-notify",
    "draft/chathistory", "chathistory", "draft/event-playback", "draft/multiline",
    "draft/read-marker", "znc.in/self-message",
  ]

  /// By name, with values.
  private(set) var offered: [String: String] = [:]
  private(set) var enabled: Set<String> = []
  /// What was asked for and is not answered.
  private(set) var asked: Set<String> = []
  private var refused: Set<String> = []
  /// Whether the list is still coming.
  private(set) var isListed = false

  func isOn(_ name: String) -> Bool { enabled.contains(name) }

  /// Takes a part of the answer to `CAP LS`.
  mutating func list(_ text: String, isLast: Bool) {
    offer(text)
    if isLast { isListed = true }
  }

  /// Takes what is new (`CAP NEW`).
  mutating func offer(_ text: String) {
    for item in text.split(separator: " ") {
      let pair = item.split(separator: "=", maxSplits: 1)
      guard let name = pair.first, offered.count < 500 else { continue }
      offered[String(name)] = pair.count > 1 ? String(pair[1]) : ""
    }
  }

  /// Takes what is gone (`CAP DEL`).
  mutating func withdraw(_ text: String) {
    for name in text.split(separator: " ").map(String.init) {
      offered[name] = nil
      enabled.remove(name)
    }
  }

  /// What to ask for, in lists that fit into a line each.
  /// - Parameter login: whether `sasl` is wanted.
  mutating func requests(login: Bool) -> [String] {
    let names = offered.keys.filter { name in
      (Self.wanted.contains(name) || login && name == "sasl") && !enabled.contains(name)
        && !asked.contains(name) && !refused.contains(name)
    }.sorted()
    asked.formUnion(names)
    var lists: [String] = []
    for name in names {
      if let last = lists.last, last.utf8.count + name.utf8.count < 400 {
        lists[lists.count - 1] = "\(last) \(name)"
      } else {
        lists.append(name)
      }
    }
    return lists
  }

  mutating func acknowledge(_ text: String) {
    for item in text.split(separator: " ") {
      // Marks of older versions of the specification.
      let name = String(item.drop { "~=".contains($0) })
      if name.hasPrefix("-") {
        enabled.remove(String(name.dropFirst()))
      } else if asked.remove(name) != nil {
        enabled.insert(name)
      }
    }
  }

  /// Takes a refusal.
  /// - Returns: what to ask for one by one, since only one of them may be the
  ///   reason.
  mutating func refuse(_ text: String) -> [String] {
    let names = text.split(separator: " ").map(String.init).filter(asked.contains)
    if names.count <= 1 {
      asked.subtract(names)
      refused.formUnion(names)
      return []
    }
    return names
  }
}
