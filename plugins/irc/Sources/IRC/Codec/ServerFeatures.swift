/// What a server says about itself (RPL_ISUPPORT, numeric 005); until then,
/// and of one that says nothing, what RFC 1459 has.
package struct ServerFeatures: Sendable {
  package private(set) var caseMapping = CaseMapping.rfc1459
  package private(set) var channelTypes = Array("#&".utf8)
  /// The modes of members and their signs, highest first.
  package private(set) var prefixes: [(mode: UInt8, sign: UInt8)] = Self.standardPrefixes
  /// The kinds of channel modes: lists, always with a parameter, with one
  /// when set, never with one.
  package private(set) var channelModes = ["b", "k", "l", "imnpst"].map { Array($0.utf8) }
  package private(set) var nickLength = 9
  /// Signs before a channel's name that send to members of that rank only.
  package private(set) var statusSigns: [UInt8] = []
  /// Bytes of a line with its end, without tags.
  package private(set) var lineLength = 512
  package private(set) var botMode: Character?
  /// How many messages a request for history may ask for; 0 for no limit.
  package private(set) var historyLimit: Int?
  /// How places in history may be named; both where the server is silent.
  package private(set) var historyReferences: [String] = ["timestamp", "msgid"]
  /// Tags of clients that nobody else is told (CLIENTTAGDENY), and those that
  /// are, where it is all.
  private var deniedTags: Set<Substring> = []
  private var targetLimits: [String: Int] = [:]

  private static let standardPrefixes = [
    (UInt8(ascii: "o"), UInt8(ascii: "@")), (UInt8(ascii: "v"), UInt8(ascii: "+")),
  ]

  package init() {}

  /// How many targets a command takes at once; nil for no limit that it tells.
  package func targetLimit(of command: String) -> Int? { targetLimits[command] }

  /// Whether others are told a tag of a client's.
  package func passes(tag name: String) -> Bool {
    deniedTags.contains("*")
      ? deniedTags.contains("-\(name)") : !deniedTags.contains(Substring(name))
  }

  package func isChannel(_ name: String) -> Bool {
    name.utf8.first.map(channelTypes.contains) ?? false
  }

  /// A channel's name without signs such as in `@#channel`.
  package func channel(inTarget target: String) -> String {
    guard !isChannel(target) else { return target }
    let rest = target.utf8.drop { statusSigns.contains($0) }
    let channel = String(Substring(rest))
    return isChannel(channel) ? channel : target
  }

  /// Takes one token, such as `NICKLEN=30` or `-NICKLEN`.
  package mutating func take(_ token: String) {
    let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty else { return }
    let value = parts.count > 1 ? Self.unescaped(String(parts[1])) : ""
    if name.utf8.first == UInt8(ascii: "-") {
      let standard = ServerFeatures()
      return reset(String(name.dropFirst()), to: standard)
    }
    set(String(name), value)
  }

  private mutating func set(_ name: String, _ value: String) {
    switch name {
    case "CASEMAPPING": caseMapping = CaseMapping(name: value)
    case "CHANTYPES": channelTypes = Array(value.utf8)
    case "PREFIX": takePrefixes(value)
    case "CHANMODES": takeChannelModes(value)
    case "NICKLEN": nickLength = Self.number(value, 1...512) ?? nickLength
    case "LINELEN": lineLength = Self.number(value, 512...65_536) ?? lineLength
    case "STATUSMSG": statusSigns = Array(value.utf8)
    case "BOT": botMode = value.first
    case "CHATHISTORY", "draft/CHATHISTORY":
      historyLimit = Self.number(value, 0...100_000) ?? 0
    case "MSGREFTYPES": historyReferences = value.split(separator: ",").map(String.init)
    case "TARGMAX": takeTargetLimits(value)
    case "CLIENTTAGDENY": deniedTags = Set(String(value.prefix(2_000)).split(separator: ","))
    default: break
    }
  }

  private mutating func reset(_ name: String, to standard: ServerFeatures) {
    switch name {
    case "CASEMAPPING": caseMapping = standard.caseMapping
    case "CHANTYPES": channelTypes = standard.channelTypes
    case "PREFIX": prefixes = standard.prefixes
    case "CHANMODES": channelModes = standard.channelModes
    case "NICKLEN": nickLength = standard.nickLength
    case "LINELEN": lineLength = standard.lineLength
    case "STATUSMSG": statusSigns = []
    case "BOT": botMode = nil
    case "CHATHISTORY", "draft/CHATHISTORY": historyLimit = nil
    case "TARGMAX": targetLimits = [:]
    case "CLIENTTAGDENY": deniedTags = []
    default: break
    }
  }

  /// `(ov)@+`; nothing where there are no ranks.
  private mutating func takePrefixes(_ value: String) {
    let bytes = Array(value.utf8)
    guard bytes.first == UInt8(ascii: "("), let end = bytes.firstIndex(of: UInt8(ascii: ")"))
    else { return prefixes = [] }
    prefixes = zip(bytes[1..<end], bytes[(end + 1)...]).map { ($0, $1) }
  }

  private mutating func takeChannelModes(_ value: String) {
    var kinds = value.split(separator: ",", omittingEmptySubsequences: false)
      .prefix(4).map { Array($0.utf8) }
    while kinds.count < 4 { kinds.append([]) }
    channelModes = kinds
  }

  private mutating func takeTargetLimits(_ value: String) {
    targetLimits = [:]
    for part in value.split(separator: ",").prefix(50) {
      let pair = part.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, let limit = Self.number(String(pair[1]), 1...1_000) else { continue }
      targetLimits[pair[0].uppercased()] = limit
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  /// `\x20` stands for a blank.
  private static func unescaped(_ value: String) -> String {
    guard value.contains("\\x") else { return value }
    var bytes: [UInt8] = []
    var rest = Array(value.utf8)[...]
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
        let byte = UInt8(IRCText.decode(rest.dropFirst().prefix(2)), radix: 16)
      {
        bytes.append(byte)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(first)
      }
    }
    return IRCText.decode(bytes)
  }
}
