/// What a room can and cannot do, so that the prompt can say so before
/// anything is lost. The same list goes over the line protocol.
package struct Capabilities: Hashable, Sendable {
  /// How far back a room can be read.
  package enum History: Sendable {
    /// Only what arrives from now on.
    case none
    /// What is replayed on joining, and no more.
    case join
    /// Back to the first event, a page at a time.
    case full
  }

  /// Whether everybody sees the same order.
  package enum Order: Sendable {
    case total
    /// Each sender's own events are in order, and nothing else is.
    case sender
    case none
  }

  /// How one's own event is recognised when it comes back.
  package enum Echo: Sendable {
    /// It does, under the id that it was sent with.
    case id
    /// It does not come back.
    case none
  }

  /// What becomes of an event that is larger than ``maximumEventBytes``.
  package enum Excess: Sendable {
    case refused
    case split
  }

  package var history: History
  package var order: Order
  /// Whether the same id twice is one event, so that a repeat is harmless.
  package var removesDuplicates: Bool
  package var echo: Echo
  /// The greatest size of one event, encoded.
  package var maximumEventBytes: Int
  package var excess: Excess
  package var multiline: Bool
  package var images: Bool
  /// The greatest size of a file; nil where nothing was said of it.
  package var maximumFileBytes: Int64?
  package var profiles: Bool
  package var edits: Bool
  package var deletions: Bool
  package var reactions: Bool
  package var replies: Bool
  package var presence: Bool
  package var typing: Bool
  /// Whether the far side vouches for who wrote an event; where it does not,
  /// anyone who may write may write as anyone.
  package var authenticatesAuthors: Bool
  /// Whether rooms can be locked, to be opened with a key.
  package var hasKeys = false
  /// Whether one may only read.
  package var isReadOnly = false

  package init(
    history: History, order: Order, removesDuplicates: Bool, echo: Echo = .id,
    maximumEventBytes: Int, excess: Excess = .refused, multiline: Bool = true,
    images: Bool = true, profiles: Bool = true, edits: Bool = true, deletions: Bool = true,
    reactions: Bool = true, replies: Bool = true, presence: Bool = false, typing: Bool = false,
    authenticatesAuthors: Bool = false
  ) {
    self.history = history
    self.order = order
    self.removesDuplicates = removesDuplicates
    self.echo = echo
    self.maximumEventBytes = maximumEventBytes
    self.excess = excess
    self.multiline = multiline
    self.images = images
    self.profiles = profiles
    self.edits = edits
    self.deletions = deletions
    self.reactions = reactions
    self.replies = replies
    self.presence = presence
    self.typing = typing
    self.authenticatesAuthors = authenticatesAuthors
  }
}
