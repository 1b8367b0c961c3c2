/// The profiles that a room has shown so far: what they say of themselves,
/// and when they spoke.
package struct ProfileDirectory: Sendable {
  /// A profile with what was seen of it.
  package struct Entry: Sendable {
    package var profile: Profile
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    package var messageCount: Int
    /// nil while nobody has said.
    package var isPresent: Bool?
    /// Grows with each message of anybody: the highest has spoken last.
    fileprivate var turn: Int
  }

  private let capacity: Int
  private var entries: [String: Entry] = [:]
  private var turns = 0

  package init(capacity: Int = 10_000) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  package subscript(id: String) -> Entry? { entries[id] }

  /// All that are known, those who spoke last first.
  package var byRecency: [Entry] {
    entries.values.sorted { ($0.turn, $0.profile.id) > ($1.turn, $1.profile.id) }
  }

  /// The name of a profile, or its id where none is known.
  package func name(of id: String) -> String {
    entries[id]?.profile.displayName ?? id
  }

  /// Notes who wrote a message.
  package mutating func note(_ message: Message, at time: Timestamp) {
    turns += 1
    update(message.profileID, at: time) { entry, turn in
      entry.messageCount += 1
      entry.turn = turn
      if let name = message.profileName, !name.isEmpty { entry.profile.name = Self.kept(name) }
      if let image = message.profileImage, !image.isEmpty { entry.profile.image = Self.kept(image) }
    }
  }

  /// Notes what a profile says of itself; nil leaves a field, empty clears it.
  package mutating func note(_ change: ProfileChange, at time: Timestamp) {
    update(change.profileID, at: time) { entry, _ in
      if let name = change.profileName { entry.profile.name = Self.kept(name) }
      if let image = change.profileImage {
        entry.profile.image = image.isEmpty ? nil : Self.kept(image)
      }
      for (field, value) in change.fields.sorted(by: { $0.key < $1.key }) {
        let field = Self.kept(field)
        let isKnown = entry.profile.fields[field] != nil
        guard isKnown || entry.profile.fields.count < Self.fieldLimit else { continue }
        entry.profile.fields[field] = value.isEmpty ? nil : Self.kept(value)
      }
    }
  }

  /// How many further fields a profile may have.
  private static let fieldLimit = 50

  /// How much of a field is kept, in UTF-8: as much as anybody reads, since
  /// strangers write them.
  private static let fieldBytes = 1_000

  private static func kept(_ text: String) -> String { text.beginning(ofBytes: fieldBytes) }

  package mutating func note(_ presence: Presence, at time: Timestamp) {
    update(presence.profileID, at: time) { entry, _ in entry.isPresent = presence.isPresent }
  }

  private mutating func update(
    _ id: String, at time: Timestamp, _ change: (inout Entry, Int) -> Void
  ) {
    if entries[id] == nil && entries.count >= capacity { evict() }
    let unknown = Entry(
      profile: Profile(id: id, name: ""), firstSeen: time, lastSeen: time, messageCount: 0,
      isPresent: nil, turn: 0)
    var entry = entries[id] ?? unknown
    change(&entry, turns)
    entry.firstSeen = min(entry.firstSeen, time)
    entry.lastSeen = max(entry.lastSeen, time)
    entries[id] = entry
  }

  /// Forgets the quarter that has been silent for longest.
  private mutating func evict() {
    for entry in byRecency.suffix(capacity / 4 + 1) { entries[entry.profile.id] = nil }
  }
}
