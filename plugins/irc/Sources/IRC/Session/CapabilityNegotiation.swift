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
  var offered: [String: String] = [:]
  private(set) var enabled: Set<String> = []
  /// What was asked for and is not answered, a line each, in order.
  private var asked: [[String]] = []
  var isAnswered: Bool { asked.isEmpty }
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
        && !asked.joined().contains(name) && !refused.contains(name)
    }.sorted()
    var lists: [[String]] = []
    for name in names {
      if let last = lists.last, last.joined(separator: " ").utf8.count + name.utf8.count < 400 {
        lists[lists.count - 1].append(name)
      } else {
        lists.append([name])
      }
    }
    asked += lists
    return lists.map { $0.joined(separator: " ") }
  }

  mutating func acknowledge(_ text: String) {
    for item in text.split(separator: " ") {
      // Marks of older versions of the specification.
      let name = String(item.drop { "~=".contains($0) })
      if name.hasPrefix("-") {
        enabled.remove(String(name.dropFirst()))
      } else if let index = asked.firstIndex(where: { $0.contains(name) }) {
        asked[index].removeAll { $0 == name }
        enabled.insert(name)
      }
    }
    asked.removeAll(where: \.isEmpty)
  }

  /// Takes a refusal, which need not name all that it is of: it is of the oldest
  /// request with what it names first.
  /// - Returns: what to ask for one by one, since only one of them may be the
  ///   reason.
  mutating func refuse(_ text: String) -> [String] {
    let first = text.split(separator: " ").first.map(String.init)
    let named = asked.firstIndex { list in first.map(list.contains) ?? false }
    guard let index = named ?? asked.indices.first else { return [] }
    let names = asked.remove(at: index)
    if names.count == 1 {
      refused.formUnion(names)
      return []
    }
    asked += names.map { [$0] }
    return names
  }
}
