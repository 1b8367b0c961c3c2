/// A message as the timeline knows it, with what was done to it since.
package struct TimelineEntry: Identifiable, Sendable {
  package var message: Message
  /// The time that orders it: the author's, but never later than the time of
  /// arrival.
  package var time: Timestamp
  /// Whether it arrived live, but belongs well before what was shown already.
  package var isLate: Bool
  package var isEdited: Bool
  package var isDeleted: Bool
  /// Who reacted with what, each reaction once, oldest first.
  package var reactions: [ReactionTally]
  /// About how much memory the reactions take: kept, since to count it anew
  /// at each reaction would take longer and longer.
  var reactionBytes: Int

  package var id: String { message.id }

  package init(
    message: Message, time: Timestamp, isLate: Bool = false, isEdited: Bool = false,
    isDeleted: Bool = false, reactions: [ReactionTally] = []
  ) {
    self.message = message
    self.time = time
    self.isLate = isLate
    self.isEdited = isEdited
    self.isDeleted = isDeleted
    self.reactions = reactions
    reactionBytes = reactions.reduce(0) { $0 + $1.sizeInBytes }
  }

  /// About how much memory it takes.
  var sizeInBytes: Int { message.sizeInBytes + reactionBytes }
}

/// Everybody who put one reaction on a message, in the order in which they did.
package struct ReactionTally: Hashable, Sendable {
  package var reaction: String
  package var profileIDs: [String]

  package init(reaction: String, profileIDs: [String]) {
    self.reaction = reaction
    self.profileIDs = profileIDs
  }

  /// About how much memory it takes.
  var sizeInBytes: Int {
    profileIDs.reduce(Self.sizeInBytes(of: reaction)) { $0 + Self.sizeInBytes(of: $1) }
  }

  /// The same for one text in it.
  static func sizeInBytes(of text: String) -> Int { 32 + text.utf8.count }
}
