import ChatModel

/// Takes events of one room into the tables, within a transaction.
struct Recorder {
  let database: Database
  let room: Int64
  let session: Int64?
  let now: Timestamp
  /// Rows of `profile` that are known, to be handed from one to the next.
  var profiles: [LogStore.ProfileKey: LogStore.ProfileRow] = [:]
  /// Profiles that have spoken, whose `last_seen` is written at the end.
  private var seen: Set<String> = []
  /// Whether there may be changes that came before their messages.
  private var hasChanges: Bool
  /// Whether the room's network has ids of its own for what was sent.
  private let hasNetworkIDs: Bool

  init(
    database: Database, room: Int64, session: Int64?, now: Timestamp
  ) throws(LogError) {
    (self.database, self.room, self.session, self.now) = (database, room, session, now)
    let change = try database.first(
      "SELECT 1 FROM change WHERE room = ? AND message_id NOT NULL LIMIT 1", .integer(room)
    ) { _ in true }
    hasChanges = change == true
    let networkID = try database.first(
      "SELECT 1 FROM network_id WHERE room = ? LIMIT 1", .integer(room)
    ) { _ in true }
    hasNetworkIDs = networkID == true
  }

  mutating func record(_ event: Event) throws(LogError) {
    let event = hasNetworkIDs ? try event.namingMessages(ownID) : event
    switch event {
    case .message(let message):
      try record(message)
    case .edit(let edit):
      try record(
        event, "edit", of: edit.messageID, by: edit.profileID, content: edit.content)
    case .deletion(let deletion):
      try record(event, "delete", of: deletion.messageID, by: deletion.profileID)
    case .reaction(let reaction):
      try record(
        event, "reaction", of: reaction.messageID, by: reaction.profileID,
        content: reaction.reaction, isRemoved: reaction.isRemoved)
    case .notice(let notice):
      try record(event, "notice", content: notice.content)
    case .profile(let change):
      try record(change)
    case .presence:
      // Says nothing of tomorrow.
      break
    }
  }

  /// Under which id the log has a message that the room's network calls so.
  private func ownID(_ id: String) throws(LogError) -> String {
    try database.first(
      "SELECT message_id FROM network_id WHERE room = ? AND network_id = ?", .integer(room),
      .text(id)
    ) { $0.text(0) ?? id } ?? id
  }

  /// Writes what was gathered.
  mutating func finish() throws(LogError) {
    for profileID in seen.sorted() {
      guard let row = profiles[key(profileID)] else { continue }
      try database.run(
        "UPDATE profile SET last_seen = max(last_seen, ?), name = ? WHERE id = ?",
        .integer(row.lastSeen), .text(row.name), .integer(row.id))
    }
    seen = []
  }

  // MARK: - Messages

  private mutating func record(_ message: Message) throws(LogError) {
    let time = time(of: message.createdAt)
    let author = try profile(message.profileID, at: time).id
    try database.run(
      """
      INSERT OR IGNORE INTO message
        (room, session, author, message_id, name, content, details, created_at, time, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)
      """, .integer(room), Value(session), .integer(author), .text(message.id),
      Value(message.profileName), Value(message.content), Value(MessageDetails.encode(message)),
      Value(message.createdAt?.milliseconds), .integer(time.milliseconds))
    // What is there already says nothing new of its author.
    guard database.changedRowCount > 0 else { return }
    try note(message.profileID, name: message.profileName, at: time)
    guard hasChanges else { return }
    let isChanged = try database.first(
      "SELECT 1 FROM change WHERE room = ? AND message_id = ?", .integer(room), .text(message.id)
    ) { _ in true }
    if isChanged == true { try refresh(message.id) }
  }

  // MARK: - Profiles

  private func key(_ profileID: String) -> LogStore.ProfileKey {
    LogStore.ProfileKey(room: room, profileID: profileID)
  }

  /// The profile's row, made where it is missing.
  private mutating func profile(
    _ profileID: String, at time: Timestamp
  ) throws(LogError) -> LogStore.ProfileRow {
    if let row = profiles[key(profileID)] { return row }
    // Strangers choose ids; more than this many at once are read again.
    if profiles.count > 10_000 { profiles = [:] }
    try database.run(
      "INSERT OR IGNORE INTO profile (room, profile_id, first_seen, last_seen) VALUES (?, ?, ?, ?)",
      .integer(room), .text(profileID), .integer(time.milliseconds), .integer(time.milliseconds))
    let row = try database.first(
      "SELECT id, name, last_seen FROM profile WHERE room = ? AND profile_id = ?", .integer(room),
      .text(profileID)
    ) { row in
      LogStore.ProfileRow(id: row.integer(0), name: row.text(1) ?? "", lastSeen: row.integer(2))
    }
    guard let row else { throw LogError(.other, reason: "\(database.path): a profile is missing") }
    profiles[key(profileID)] = row
    return row
  }

  /// Notes that somebody was there, by that name if it is the newest.
  /// - Returns: whether nothing newer is known of the profile.
  @discardableResult
  private mutating func note(
    _ profileID: String, name: String?, at time: Timestamp
  ) throws(LogError) -> Bool {
    var row = try profile(profileID, at: time)
    // A clock that was ahead must not decide for good.
    let isNewest =
      time.milliseconds >= row.lastSeen || row.lastSeen > now.milliseconds || row.name.isEmpty
    if isNewest {
      row.lastSeen = time.milliseconds
      if let name, !name.isEmpty { row.name = name }
    }
    profiles[key(profileID)] = row
    seen.insert(profileID)
    return isNewest
  }

  private mutating func record(_ change: ProfileChange) throws(LogError) {
    let isNew = try record(
      .profile(change), "profile", by: change.profileID,
      content: EventCodec.encode(.profile(change)))
    guard isNew else { return }
    let time = time(of: change.createdAt)
    let isNewest = try note(change.profileID, name: change.profileName, at: time)
    // An older one only adds what is not known.
    try database.run(
      isNewest
        ? """
        UPDATE profile SET image = nullif(coalesce(?, image), ''),
          fields = json_patch(coalesce(fields, '{}'), ?) WHERE id = ?
        """
        : """
        UPDATE profile SET image = nullif(coalesce(image, ?), ''),
          fields = json_patch(json_patch('{}', ?), coalesce(fields, '{}')) WHERE id = ?
        """, Value(change.profileImage), .text(patch(change.fields)),
      .integer(try profile(change.profileID, at: time).id))
  }

  /// The fields as RFC 7396 changes an object: null takes one away.
  private func patch(_ fields: [String: String]) -> String {
    let members = fields.sorted { $0.key < $1.key }.map { name, value in
      "\(JSONText.encode(name)):\(value.isEmpty ? "null" : JSONText.encode(value))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  // MARK: - Changes

  /// - Returns: whether the event is new.
  @discardableResult
  private mutating func record(
    _ event: Event, _ kind: String, of messageID: String? = nil, by profileID: String? = nil,
    content: String? = nil, isRemoved: Bool = false
  ) throws(LogError) -> Bool {
    try database.run(
      """
      INSERT OR IGNORE INTO change
        (room, session, event_id, message_id, profile_id, kind, content, removed, created_at, time)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(room), Value(session), .text(event.id), Value(messageID), Value(profileID),
      .text(kind), Value(content), .integer(isRemoved ? 1 : 0),
      Value(event.createdAt?.milliseconds), .integer(time(of: event.createdAt).milliseconds))
    guard database.changedRowCount > 0 else { return false }
    hasChanges = true
    if let messageID, kind != "reaction" { try refresh(messageID) }
    return true
  }

  /// Makes of a message what the edits and the deletion by its author say, in
  /// the order of time; deleted stays deleted, and then its words are gone.
  private func refresh(_ messageID: String) throws(LogError) {
    let stored = try database.first(
      """
      SELECT message.id, profile_id, content, original, state FROM message
      JOIN profile ON profile.id = author WHERE message.room = ? AND message_id = ?
      """, .integer(room), .text(messageID)
    ) { row in
      (
        id: row.integer(0), author: row.text(1) ?? "", content: row.text(2),
        original: row.text(3), state: row.integer(4)
      )
    }
    guard let stored else { return }
    guard stored.state != 2 else { return try removeEdits(of: messageID) }
    let changes = try database.rows(
      """
      SELECT kind, content FROM change WHERE room = ? AND message_id = ? AND profile_id = ?
        AND kind IN ('edit', 'delete') ORDER BY time, id
      """, .integer(room), .text(messageID), .text(stored.author)
    ) { row in (isDeletion: row.text(0) == "delete", content: row.text(1)) }
    guard let last = changes.last else { return }
    let isDeleted = changes.contains(where: \.isDeletion)
    try TextIndex(database).replace(
      stored.id, stored.content, with: isDeleted ? nil : last.content)
    if isDeleted {
      try database.run(
        """
        UPDATE message SET content = NULL, original = NULL, details = NULL, state = 2
        WHERE id = ?
        """, .integer(stored.id))
      try removeEdits(of: messageID)
    } else {
      try database.run(
        "UPDATE message SET content = ?, original = ?, state = 1 WHERE id = ?",
        Value(last.content), Value(stored.original ?? stored.content), .integer(stored.id))
    }
  }

  private func removeEdits(of messageID: String) throws(LogError) {
    try database.run(
      "UPDATE change SET content = NULL WHERE room = ? AND message_id = ? AND kind = 'edit'",
      .integer(room), .text(messageID))
  }

  /// The event's own time, unless it has none or one in the future.
  private func time(of createdAt: Timestamp?) -> Timestamp {
    createdAt.map { min($0, now) } ?? now
  }
}
