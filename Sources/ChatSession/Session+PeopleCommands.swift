internal import ChatModel
internal import ImageAssets
internal import TerminalText
internal import Transport

/// What the commands about people do.
extension Session {
  /// Everybody whom a command may name, those who spoke last first.
  var knownProfiles: [Profile] {
    let known = profiles.byRecency.map(\.profile)
    return known.contains { $0.id == ownProfile.id } ? known : known + [ownProfile]
  }

  /// The profile that an argument names.
  func profile(_ argument: String) throws(CommandError) -> Profile {
    switch ProfileReference(knownProfiles).resolve(argument) {
    case .found(let profile): return profile
    case .unknown:
      throw CommandError(
        language("nobody here is called \(argument)", "\(argument) 님은 여기 없습니다"))
    case .ambiguous(let profiles):
      let ids = profiles.map(\.id).joined(separator: ", ")
      throw CommandError(
        language("several are called \(argument); by id: \(ids)", "같은 이름이 여럿입니다. 아이디: \(ids)"))
    }
  }

  /// The profile action of a bubble: the card of whoever wrote it.
  func showProfile(_ profile: Profile) {
    let entry = profiles[profile.id]
    let profile = profile.id == ownProfile.id ? ownProfile : entry?.profile ?? profile
    var lines = ["\(profile.displayName)", language("id: \(profile.id)", "아이디: \(profile.id)")]
    if let image = profile.image {
      lines.append(language("picture: \(address(of: image))", "사진: \(address(of: image))"))
    }
    if let entry {
      if let isPresent = entry.isPresent {
        lines.append(isPresent ? language("here now", "접속 중") : language("away", "자리 비움"))
      }
      let (first, last) = (
        transcript.dateAndTime(of: entry.firstSeen), transcript.dateAndTime(of: entry.lastSeen)
      )
      lines.append(language("first seen here: \(first)", "처음 본 때: \(first)"))
      lines.append(language("last seen here: \(last)", "마지막으로 본 때: \(last)"))
      lines.append(
        language("messages here: \(entry.messageCount)", "여기서 본 메시지: \(entry.messageCount)개"))
    }
    for (field, value) in profile.fields.sorted(by: { $0.key < $1.key }) {
      lines.append("\(field): \(value)")
    }
    var rows = lines.map { transcript.factRow($0) }
    if !transport.capabilities.authenticatesAuthors {
      rows += noteRows(
        language(
          "in this room a name is what the writer claims; whoever can write here can write as anyone",
          "이 방의 이름은 쓴 사람이 주장하는 것입니다. 여기 쓸 수 있으면 누구로든 쓸 수 있습니다"))
    }
    show(rows, messages: 0)
    // Nobody is asked for what is not shown.
    guard let image = profile.image, showsPictures else { return }
    run { [self] in
      switch await fetch(MessageImage(path: image)) {
      case .success(let file): await show(file)
      case .failure(.cancelled): break
      case .failure(let failure): say(language(failure.text))
      }
    }
  }

  /// Lists who is here now, where the far side knows, and who was seen here.
  func listPeople() {
    run { [self] in
      let members = (try? await transport.members()) ?? []
      if !members.isEmpty {
        let names = members.map(\.displayName).sorted().joined(separator: ", ")
        show(noteRows(language("here now: \(names)", "접속 중: \(names)")), messages: 0)
      }
      listSeenPeople(Set(members.map(\.id)))
    }
  }

  /// - Parameter present: the ids of those who are here now.
  private func listSeenPeople(_ present: Set<String>) {
    let people = profiles.byRecency
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
    submit(
      .profile(
        ProfileChange(
          eventID: makeID(), profileID: ownProfile.id, profileName: name, createdAt: now())))
    say(language("you are now called \(name)", "이제 이름은 \(name)입니다"))
  }

  func listIgnored() {
    guard !settings.ignored.isEmpty else {
      return say(language("nobody is hidden", "숨긴 사람이 없습니다"))
    }
    for id in settings.ignored.sorted() { say("\(profiles.name(of: id)) (\(id))") }
  }

  func toggleIgnored(_ profile: Profile) throws(CommandError) {
    guard profile.id != ownProfile.id else {
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
