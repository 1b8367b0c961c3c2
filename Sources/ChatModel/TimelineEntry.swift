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
  }
}

/// Everybody who put one reaction on a message, in the order in which they did.
package struct ReactionTally: Hashable, Sendable {
  package var reaction: String
  package var profileIDs: [String]

  package init(reaction: String, profileIDs: [String]) {
    self.reaction = reaction
    self.profileIDs = profileIDs
  }
}
