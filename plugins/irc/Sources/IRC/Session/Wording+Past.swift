extension Wording {
  /// What happened in a room, from a line of its past; nil for what nobody
  /// needs to know.
  func past(_ incoming: Incoming) -> String? {
    let line = incoming.line
    let nick = incoming.nick
    func text(_ index: Int) -> String { FormattedText(line.parameter(index)).plain }
    switch line.verbText.uppercased() {
    case "JOIN": return say("\(nick) joined", "\(nick) 들어옴")
    case "PART", "QUIT":
      let reason = line.isVerb("PART") ? text(1) : text(0)
      let why = reason.isEmpty ? "" : " (\(reason))"
      return say("\(nick) left\(why)", "\(nick) 나감\(why)")
    case "NICK": return say("renamed: \(nick) → \(text(0))", "별명 바뀜: \(nick) → \(text(0))")
    case "KICK": return kicked(line.parameter(1), by: nick, reason: text(2))
    case "TOPIC": return topic(by: nick, text(1))
    case "MODE":
      return mode(by: nick, line.parameters.dropFirst().map(line.text).joined(separator: " "))
    default: return nil
    }
  }
}
