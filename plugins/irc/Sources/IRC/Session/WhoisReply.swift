internal import ChatModel

/// What a server says about somebody (WHOIS), gathered from its replies.
final class WhoisReply {
  let nick: String
  /// As the host calls them; nil where a command asked.
  let profileID: String?
  private(set) var fields: [String: String] = [:]
  private(set) var isFound = false
  var name: String?

  init(nick: String, profileID: String?) {
    (self.nick, self.profileID) = (nick, profileID)
  }

  func take(_ number: Int, _ line: IncomingLine) {
    isFound = true
    let text = FormattedText(line.lastParameter).plain
    switch number {
    case 301: fields["away"] = text
    case 307: fields["registered"] = text
    case 311:
      name = line.parameter(1)
      fields["host"] = "\(line.parameter(2))@\(line.parameter(3))"
      fields["realName"] = text
    case 312: fields["server"] = "\(line.parameter(2)) (\(text))"
    case 313: fields["operator"] = text
    case 317: takeIdle(line)
    case 319: addChannels(text)
    case 330: fields["account"] = line.parameter(2)
    case 335: fields["bot"] = text
    case 276: fields["certificate"] = text
    case 338, 378:
      fields["from"] = line.parameters.dropFirst(2).map(line.text).joined(separator: " ")
    case 671: fields["secure"] = text
    default: break
    }
  }

  private func addChannels(_ text: String) {
    let channels = text.split(separator: " ").joined(separator: " ")
    let all = fields["channels"].map { "\($0) \(channels)" } ?? channels
    fields["channels"] = all.cut(to: IRCSession.noticeLimit)
  }

  private func takeIdle(_ line: IncomingLine) {
    if let seconds = Int64(line.parameter(2)), seconds >= 0 {
      fields["idle"] = Self.duration(min(seconds, 3_153_600_000))
    }
    if let seconds = Int64(line.parameter(3)), (1...253_402_300_799).contains(seconds) {
      fields["signedOn"] = Timestamp(milliseconds: seconds * 1_000).rfc3339
    }
  }

  private static func duration(_ seconds: Int64) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min" }
    return seconds < 86_400
      ? "\(seconds / 3_600) h \(seconds / 60 % 60) min" : "\(seconds / 86_400) d"
  }

  /// On one line, in the user's words and time.
  func summary(_ wording: Wording) -> String {
    let parts = Wording.profileFields.compactMap { field -> String? in
      guard let value = fields[field.name] else { return nil }
      let label = wording.say(field.english, field.korean)
      let time = Timestamp(rfc3339: value).map(wording.localTime)
      return "\(label): \(time ?? value)"
    }
    return ([name ?? nick] + parts).joined(separator: "; ")
  }
}

/// Channels of a server (LIST).
final class ChannelList {
  static let limit = 10_000

  /// Whether they are for the host to choose from, or for the user to read.
  let isForHost: Bool
  /// Behind which name to go on.
  let after: String?
  /// Whether the server has answered; it then says when that is all.
  var hasBegun = false
  var items: [(name: String, topic: String, members: Int)] = []

  init(isForHost: Bool, after: String?) {
    (self.isForHost, self.after) = (isForHost, after)
  }
}
