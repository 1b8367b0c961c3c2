/// What an event changed in a ``Timeline``.
package enum TimelineDiff: Sendable {
  case insert(TimelineEntry)
  case update(TimelineEntry, TimelineChange)
  case profile(ProfileChange)
  case presence(Presence)
  case notice(Notice, Timestamp)
}

/// What was done to a message that is shown already.
package enum TimelineChange: Equatable, Sendable {
  case edited
  case deleted
  case reacted(profileID: String, reaction: String, isRemoved: Bool)
}

extension TimelineEntry {
  /// Applies a change to this message.
  /// - Returns: nil when it changes nothing, as one that is for others to make.
  package mutating func apply(_ event: Event) -> TimelineChange? {
    switch event {
    case .edit(let edit): apply(edit)
    case .deletion(let deletion): apply(deletion)
    case .reaction(let reaction): apply(reaction)
    case .message, .profile, .presence, .notice: nil
    }
  }

  mutating func apply(_ edit: Edit) -> TimelineChange? {
    guard edit.profileID == message.profileID, !isDeleted, edit.content != message.content
    else { return nil }
    message.content = edit.content
    message.styles = []
    isEdited = true
    return .edited
  }

  mutating func apply(_ deletion: Deletion) -> TimelineChange? {
    guard deletion.profileID == message.profileID, !isDeleted else { return nil }
    message.content = nil
    message.styles = []
    message.images = []
    message.files = []
    reactions = []
    reactionBytes = 0
    isDeleted = true
    return .deleted
  }

  /// How many different reactions a message takes, and from how many people
  /// each; further ones are passed over.
  private static let (reactionLimit, reactorLimit) = (50, 1_000)

  mutating func apply(_ reaction: Reaction) -> TimelineChange? {
    guard !isDeleted, !reaction.reaction.isEmpty, reaction.reaction.utf8.count <= 256
    else { return nil }
    let index = reactions.firstIndex { $0.reaction == reaction.reaction }
    let isThere = index.map { reactions[$0].profileIDs.contains(reaction.profileID) } ?? false
    guard isThere == reaction.isRemoved else { return nil }
    if reaction.isRemoved {
      remove(reaction)
    } else if let index {
      guard reactions[index].profileIDs.count < Self.reactorLimit else { return nil }
      reactions[index].profileIDs.append(reaction.profileID)
      reactionBytes += ReactionTally.sizeInBytes(of: reaction.profileID)
    } else {
      guard reactions.count < Self.reactionLimit else { return nil }
      let tally = ReactionTally(reaction: reaction.reaction, profileIDs: [reaction.profileID])
      reactions.append(tally)
      reactionBytes += tally.sizeInBytes
    }
    return .reacted(
      profileID: reaction.profileID, reaction: reaction.reaction, isRemoved: reaction.isRemoved)
  }

  private mutating func remove(_ reaction: Reaction) {
    for index in reactions.indices where reactions[index].reaction == reaction.reaction {
      reactions[index].profileIDs.removeAll { $0 == reaction.profileID }
      reactionBytes -= ReactionTally.sizeInBytes(of: reaction.profileID)
      if reactions[index].profileIDs.isEmpty { reactionBytes -= reactions[index].sizeInBytes }
    }
    reactions.removeAll { $0.profileIDs.isEmpty }
  }
}

/// Edits, deletions and reactions whose message is not here; bounded in number
/// and in size, the oldest being given up first.
struct WaitingChanges: Sendable {
  private static let capacityInBytes = 8 << 20

  private let capacity: Int
  private var sizeInBytes = 0
  private var events: [(messageID: String, event: Event)] = []
  private var messageIDs: Set<String> = []

  init(capacity: Int) {
    self.capacity = capacity
  }

  mutating func add(_ event: Event, for messageID: String) {
    events.append((messageID, event))
    messageIDs.insert(messageID)
    sizeInBytes += event.sizeInBytes
    if events.count > capacity || sizeInBytes > Self.capacityInBytes { evict() }
  }

  private mutating func evict() {
    events.removeFirst(events.count / 4 + 1)
    messageIDs = Set(events.map(\.messageID))
    sizeInBytes = events.reduce(0) { $0 + $1.event.sizeInBytes }
  }

  /// What waits for the message, in the order in which it came.
  mutating func take(for messageID: String) -> [Event] {
    guard messageIDs.remove(messageID) != nil else { return [] }
    let taken = events.filter { $0.messageID == messageID }.map(\.event)
    events.removeAll { $0.messageID == messageID }
    sizeInBytes -= taken.reduce(0) { $0 + $1.sizeInBytes }
    return taken
  }
}

extension Event {
  /// About how much memory its texts take.
  package var sizeInBytes: Int {
    switch self {
    case .edit(let edit):
      Self.sizeInBytes(of: edit.eventID, edit.messageID, edit.profileID, edit.content)
    case .deletion(let deletion):
      Self.sizeInBytes(of: deletion.eventID, deletion.messageID, deletion.profileID)
    case .reaction(let reaction):
      Self.sizeInBytes(
        of: reaction.eventID, reaction.messageID, reaction.profileID, reaction.reaction)
    case .message(let message): message.sizeInBytes
    // These change no message, and so wait for none.
    case .profile, .presence, .notice: 0
    }
  }

  private static func sizeInBytes(of texts: String...) -> Int {
    texts.reduce(256) { $0 + $1.utf8.count }
  }
}
