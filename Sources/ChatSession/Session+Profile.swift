internal import ChatModel
internal import ImageAssets
internal import TerminalText
internal import Transport

/// The card of somebody.
extension Session {
  /// Everybody whom a command may name in a room, those who spoke last first.
  func knownProfiles(in room: JoinedRoom) -> [Profile] {
    let known = room.profiles.byRecency.map(\.profile)
    let own = ownProfile(in: room)
    return known.contains { $0.id == own.id } ? known : known + [own]
  }

  /// The profile that an argument names in a room; nil where nobody is known by
  /// that name.
  private func known(
    _ argument: String, in room: JoinedRoom
  ) throws(CommandError) -> Profile? {
    switch ProfileReference(knownProfiles(in: room)).resolve(argument) {
    case .found(let profile): return profile
    case .unknown: return nil
    case .ambiguous(let profiles):
      let ids = profiles.map(\.id).joined(separator: ", ")
      throw CommandError(
        language("several are called \(argument); by id: \(ids)", "같은 이름이 여럿입니다. 아이디: \(ids)"))
    }
  }

  /// The profile that an argument names in the current room.
  func profile(_ argument: String) throws(CommandError) -> Profile {
    guard let profile = try known(argument, in: current) else { throw unknownPerson(argument) }
    return profile
  }

  private func unknownPerson(_ argument: String) -> CommandError {
    CommandError(language("nobody here is called \(argument)", "\(argument) 님은 여기 없습니다"))
  }

  /// `/profile [id or name]`: in a room that has a far side, with what that
  /// knows, also of somebody who was not heard of yet.
  func runProfile(_ argument: String) throws(CommandError) {
    let room = current
    let profile = argument.isEmpty ? ownProfile(in: room) : try known(argument, in: room)
    guard room.isRemote else {
      guard let profile else { throw unknownPerson(argument) }
      return showProfile(profile, in: room)
    }
    run { [self] in
      let more = await askedProfile(profile?.id ?? argument, of: room)
      guard let profile = profile ?? more else {
        return returnLine("/profile \(argument)", unknownPerson(argument).description, to: room)
      }
      showProfile(profile, in: room, more: more)
    }
  }

  /// How long the far side may take to say what it knows of somebody.
  private static let patience: Duration = .seconds(3)

  private func askedProfile(_ id: String, of room: JoinedRoom) async -> Profile? {
    let transport = room.transport
    let question = Task { try? await transport.profile(id) }
    return await firstValue(of: question, within: Self.patience)
  }

  /// The profile action of a bubble: the card of whoever wrote it.
  /// - Parameter more: what the far side says of the same.
  func showProfile(_ profile: Profile, in room: JoinedRoom, more: Profile? = nil) {
    let entry = room.profiles[profile.id]
    let own = ownProfile(in: room)
    var profile = profile.id == own.id ? own : entry?.profile ?? profile
    if let more { profile.add(more) }
    var lines = ["\(profile.displayName)", language("id: \(profile.id)", "아이디: \(profile.id)")]
    if let image = profile.image {
      lines.append(language("picture: \(address(of: image))", "사진: \(address(of: image))"))
    }
    if let entry { lines += self.lines(of: entry) }
    lines += ProfileField.inOrder(profile.fields).prefix(50).map { field, value in
      let time = Timestamp(rfc3339: value).map { transcript.dateAndTime(of: $0) }
      return "\(language(ProfileField.label(field))): \(time ?? value)"
    }
    var rows = lines.map { transcript.factRow($0) }
    if !room.transport.capabilities.authenticatesAuthors {
      rows += noteRows(
        language(
          "in this room a name is what the writer claims; whoever can write here can write as anyone",
          "이 방의 이름은 쓴 사람이 주장하는 것입니다. 여기 쓸 수 있으면 누구로든 쓸 수 있습니다"))
    }
    show(rows, messages: 0)
    // Nobody is asked for what is not shown.
    guard let image = profile.image, canShowPictures else { return }
    run { [self] in
      switch await fetch(MessageImage(path: image), in: room) {
      case .success(let file): await show(file)
      case .failure(.cancelled): break
      case .failure(let failure): say(failure, of: MessageImage(path: image))
      }
    }
  }

  /// What was seen of somebody.
  private func lines(of entry: ProfileDirectory.Entry) -> [String] {
    var lines: [String] = []
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
    return lines
  }
}

extension Profile {
  /// Adds what else is said of it: a field absent is unchanged, empty is
  /// cleared.
  fileprivate mutating func add(_ more: Profile) {
    if !more.name.isEmpty { name = more.name }
    if let image = more.image { self.image = image.isEmpty ? nil : image }
    for (field, value) in more.fields { fields[field] = value.isEmpty ? nil : value }
  }
}
