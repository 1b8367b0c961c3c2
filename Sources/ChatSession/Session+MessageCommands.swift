internal import ChatModel
internal import TerminalText
internal import Transport

/// What the commands about messages do.
extension Session {
  func refuseArguments(_ arguments: String) throws(CommandError) {
    guard arguments.isEmpty else {
      throw CommandError(
        language(
          "this command takes nothing after its name; “\(arguments.prefix(40))” is too much",
          "이 명령은 뒤에 아무것도 받지 않습니다"))
    }
  }

  /// A message that a command names, and where it was said.
  struct NamedMessage {
    var room: JoinedRoom
    var entry: TimelineEntry
  }

  /// The message of that number.
  func named(_ number: String) throws(CommandError) -> NamedMessage {
    guard !number.isEmpty else {
      throw CommandError(
        language("say which message, by its number", "메시지를 번호로 지정하세요"))
    }
    let place = Int(number).flatMap { numbers[$0] }
    let room = place.flatMap { place in rooms.first { $0.number == place.room } }
    guard place == nil || room != nil else {
      throw CommandError(
        language(
          "message \(number) is in a room that is not open; /join it first",
          "\(number)번은 열려 있지 않은 방에 있습니다. 먼저 /join으로 여세요"))
    }
    if let place, let room, room.outbox[place.id] != nil {
      throw CommandError(
        language("message \(number) is not sent yet", "\(number)번은 아직 보내지 못했습니다"))
    }
    guard let place, let room, let entry = room.timeline.entry(place.id) else {
      throw CommandError(
        language("there is no message \(number) here", "\(number)번 메시지가 없습니다"))
    }
    guard !entry.isDeleted else {
      throw CommandError(language("message \(number) was deleted", "\(number)번은 삭제되었습니다"))
    }
    return NamedMessage(room: room, entry: entry)
  }

  /// One's own message of that number, or one's newest in the current room
  /// where there is none.
  func ownNamed(_ number: String) throws(CommandError) -> NamedMessage {
    if number.isEmpty {
      let (room, ownID) = (current, ownID(in: current))
      let own = room.timeline.newest { $0.message.profileID == ownID && !$0.isDeleted }
      guard let own else {
        throw CommandError(
          language("there is no message of yours here", "내가 쓴 메시지가 없습니다"))
      }
      return NamedMessage(room: room, entry: own)
    }
    let named = try named(number)
    guard named.entry.message.profileID == ownID(in: named.room) else {
      throw CommandError(
        language("message \(number) is not yours", "\(number)번은 내 메시지가 아닙니다"))
    }
    return named
  }

  /// Refuses what a room cannot do before it is on its way there.
  func require(
    _ ability: KeyPath<Capabilities, Bool>, of room: JoinedRoom, _ what: LocalizedText
  ) throws(CommandError) {
    guard !room.transport.capabilities[keyPath: ability] else { return }
    throw CommandError(
      language(
        "\(room.name) knows no \(what.english)", "이 방(\(room.name))에는 \(what.korean) 기능이 없습니다"))
  }

  func edit(_ arguments: String) throws(CommandError) {
    let (word, rest) = arguments.firstWord
    let isNumbered = Int(word) != nil
    let named = try ownNamed(isNumbered ? word : "")
    let (room, entry) = (named.room, named.entry)
    try require(\.edits, of: room, LocalizedText("edits", "고치기"))
    let text = isNumbered ? rest : arguments
    if text.isEmpty {
      let number = numbers.number(of: entry.id, in: room.number)
      return surface.replaceLine("/edit \(number) \(entry.message.content ?? "")")
    }
    submit(
      .edit(
        Edit(
          eventID: makeID(), messageID: entry.id, profileID: ownID(in: room), content: text,
          createdAt: now())), to: room)
  }

  func delete(_ named: NamedMessage) throws(CommandError) {
    try require(\.deletions, of: named.room, LocalizedText("deletions", "삭제"))
    submit(
      .deletion(
        Deletion(
          eventID: makeID(), messageID: named.entry.id, profileID: ownID(in: named.room),
          createdAt: now())), to: named.room)
  }

  /// Puts a reaction on a message, or takes one's own away.
  func react(to named: NamedMessage, with reaction: String) throws(CommandError) {
    try require(\.reactions, of: named.room, LocalizedText("reactions", "반응"))
    let (entry, ownID) = (named.entry, ownID(in: named.room))
    let isThere = entry.reactions.contains {
      $0.reaction == reaction && $0.profileIDs.contains(ownID)
    }
    submit(
      .reaction(
        Reaction(
          eventID: makeID(), messageID: entry.id, profileID: ownID, reaction: reaction,
          isRemoved: isThere, createdAt: now())), to: named.room)
  }
}
