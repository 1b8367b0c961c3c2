internal import ChatModel

/// Somebody who shares a channel with the user.
final class Person {
  var nick: String
  var user: String?
  var host: String?
  var account: String?
  var realName: String?
  var isAway = false
  /// See ``IRCSession/profileID(ofNick:account:)``; stays over nick changes.
  var profileID: String
  /// The rooms they are in.
  var rooms = 0

  init(nick: String, profileID: String) {
    (self.nick, self.profileID) = (nick, profileID)
  }

  /// - Parameter rank: such as `@`, in one room.
  func profile(rank: [UInt8] = []) -> Profile {
    var fields: [String: String] = [:]
    fields["account"] = account
    if let user, let host { fields["host"] = "\(user)@\(host)" }
    fields["realName"] = realName
    if isAway { fields["away"] = "yes" }
    if !rank.isEmpty { fields["rank"] = IRCText.decode(rank) }
    return Profile(id: profileID, name: nick, fields: fields)
  }
}
