internal import ChatModel
internal import TerminalText
internal import Transport

/// What the commands about people do.
extension Session {
  /// Lists who is here now, where the far side knows, and who was seen here.
  func listPeople() {
    let room = current
    run { [self] in
      let members = (try? await room.transport.members()) ?? []
      if !members.isEmpty {
        let names = members.map(\.displayName).sorted().joined(separator: ", ")
        show(noteRows(language("here now: \(names)", "접속 중: \(names)")), messages: 0)
      }
      listSeenPeople(in: room, Set(members.map(\.id)))
    }
  }

  /// - Parameter present: the ids of those who are here now.
  private func listSeenPeople(in room: JoinedRoom, _ present: Set<String>) {
    let people = room.profiles.byRecency
    guard !people.isEmpty else {
      return say(language("nobody has been seen here yet", "아직 아무도 없습니다"))
    }
    let rows = people.prefix(200).flatMap { entry in
      noteRows(whoText(entry, isPresent: present.contains(entry.profile.id)))
    }
    show(rows, messages: 0)
    guard people.count > 200 else { return }
    say(language("and \(people.count - 200) more", "그 밖에 \(people.count - 200)명"))
  }

  /// A person, what was heard of him, and when he was seen.
  private func whoText(_ entry: ProfileDirectory.Entry, isPresent: Bool) -> String {
    let name = "\(entry.profile.displayName) (\(entry.profile.id))"
    let seen = transcript.dateAndTime(of: entry.lastSeen)
    let facts = [
      entry.messageCount == 0 && isPresent
        ? nil
        : language(
          "\(counted(entry.messageCount, "message")) here", "메시지 \(entry.messageCount)개"),
      isPresent
        ? language("here now", "접속 중") : language("last seen \(seen)", "마지막 \(seen)"),
    ].compactMap(\.self)
    return "\(name): \(facts.joined(separator: ", "))"
  }

  func rename(_ name: String) {
    settings.profile.name = name
    applySettings()
    for room in rooms where room.transport.capabilities.profiles {
      submit(
        .profile(
          ProfileChange(
            eventID: makeID(), profileID: ownID(in: room), profileName: name, createdAt: now())),
        to: room)
    }
    say(language("you are now called \(name)", "이제 이름은 \(name)입니다"))
  }

  func listIgnored() {
    guard !settings.ignored.isEmpty else {
      return say(language("nobody is hidden", "숨긴 사람이 없습니다"))
    }
    for id in settings.ignored.sorted() { say("\(current.profiles.name(of: id)) (\(id))") }
  }

  func toggleIgnored(_ profile: Profile) throws(CommandError) {
    guard profile.id != ownID(in: current) else {
      throw CommandError(language("that is you", "본인은 숨길 수 없습니다"))
    }
    if settings.ignored.remove(profile.id) != nil {
      say(language("\(profile.displayName) is shown again", "\(profile.displayName) 님이 다시 보입니다"))
    } else {
      settings.ignored.insert(profile.id)
      say(
        language(
          "\(profile.displayName) is hidden for this session; put the id under ignore in config.json to keep it",
          "이번 실행 동안 \(profile.displayName) 님을 숨깁니다. 계속 숨기려면 config.json의 ignore에 적으세요"))
    }
  }
}
