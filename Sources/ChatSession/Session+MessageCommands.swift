internal import ChatModel
internal import TerminalText

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

  /// The message of that number.
  func entry(_ number: String) throws(CommandError) -> TimelineEntry {
    guard !number.isEmpty else {
      throw CommandError(
        language("say which message, by its number", "메시지를 번호로 지정하세요"))
    }
    let id = Int(number).flatMap(numbers.id)
    if let id, outbox[id] != nil {
      throw CommandError(
        language("message \(number) is not sent yet", "\(number)번은 아직 보내지 못했습니다"))
    }
    guard let id, let entry = timeline.entry(id) else {
      throw CommandError(
        language("there is no message \(number) here", "\(number)번 메시지가 없습니다"))
    }
    guard !entry.isDeleted else {
      throw CommandError(language("message \(number) was deleted", "\(number)번은 삭제되었습니다"))
    }
    return entry
  }

  /// One's own message of that number, or one's newest where there is none.
  func ownEntry(_ number: String) throws(CommandError) -> TimelineEntry {
    if number.isEmpty {
      let own = timeline.newest { $0.message.profileID == self.ownProfile.id && !$0.isDeleted }
      guard let own else {
        throw CommandError(
          language("there is no message of yours here", "내가 쓴 메시지가 없습니다"))
      }
      return own
    }
    let entry = try entry(number)
    guard entry.message.profileID == ownProfile.id else {
      throw CommandError(
        language("message \(number) is not yours", "\(number)번은 내 메시지가 아닙니다"))
    }
    return entry
  }

  func edit(_ arguments: String) throws(CommandError) {
    let (word, rest) = arguments.firstWord
    let isNumbered = Int(word) != nil
    let entry = try ownEntry(isNumbered ? word : "")
    let text = isNumbered ? rest : arguments
    if text.isEmpty {
      let number = numbers.number(of: entry.id)
      return surface.replaceLine("/edit \(number) \(entry.message.content ?? "")")
    }
    submit(
      .edit(
        Edit(
          eventID: makeID(), messageID: entry.id, profileID: ownProfile.id, content: text,
          createdAt: now())))
  }

  /// Puts a reaction on a message, or takes one's own away.
  func react(to entry: TimelineEntry, with reaction: String) {
    let isThere = entry.reactions.contains {
      $0.reaction == reaction && $0.profileIDs.contains(ownProfile.id)
    }
    submit(
      .reaction(
        Reaction(
          eventID: makeID(), messageID: entry.id, profileID: ownProfile.id, reaction: reaction,
          isRemoved: isThere, createdAt: now())))
  }
}
