internal import ChatModel
internal import Transport

/// Who is there, and what there is.
extension IRCSession {
  // MARK: - One

  func profile(_ ref: String, _ profileID: String) {
    let person = people.values.first { $0.profileID == profileID }
    let named = profileID.hasSuffix(Self.nickMark) ? String(profileID.dropLast()) : profileID
    let nick = person?.nick ?? (profileID == selfID ? nick : named)
    guard case .online = stage else { return refuse(ref, .retry, wording.hungUp) }
    guard !nick.isEmpty, !nick.contains(" ") else {
      return refuse(ref, .notFound, wording.nobody(nick))
    }
    whois(ref, nick, profileID: profileID)
  }

  func whois(_ ref: String?, _ nick: String, profileID: String?) {
    let reply = WhoisReply(nick: nick, profileID: profileID)
    begin(
      Transaction(.whois(reply), ref: ref, lineCount: 1), [OutgoingLine("WHOIS", nick, nick)])
  }

  func takeWhois(_ number: Int, _ incoming: Incoming) {
    let line = incoming.line
    let nick = features.caseMapping.fold(line.parameter(1))
    for transaction in transactions {
      guard case .whois(let reply) = transaction.kind,
        features.caseMapping.fold(reply.nick) == nick
      else { continue }
      return reply.take(number, line)
    }
    // Somebody who was spoken to is away.
    guard number == 301 else { return }
    let text = FormattedText(line.lastParameter).plain
    tellUser(
      wording.say(
        "\(line.parameter(1)) is away: \(text)", "\(line.parameter(1)) 님은 자리를 비웠습니다: \(text)"))
  }

  /// RPL_ENDOFWHOIS, which comes behind signs where another server answers.
  func endWhois(_ line: IncomingLine) {
    let nick = features.caseMapping.fold(line.parameter(1))
    let transaction = transactions.first { transaction in
      guard case .whois(let reply) = transaction.kind else { return false }
      return transaction.labels.isEmpty && features.caseMapping.fold(reply.nick) == nick
    }
    if let transaction { finish(transaction) }
  }

  func finishWhois(_ reply: WhoisReply, _ transaction: Transaction) {
    guard let ref = transaction.ref else { return }
    guard reply.isFound else {
      return tellHost(.error(ref: ref, ProtocolError(.notFound, wording.nobody(reply.nick))))
    }
    guard let profileID = reply.profileID else {
      return tellHost(.done(ref: ref, notice: reply.summary(wording)))
    }
    tellHost(
      .profile(
        ref: ref, Profile(id: profileID, name: reply.name ?? reply.nick, fields: reply.fields)))
  }

  // MARK: - Those in a room

  /// So many profiles fit into a line, however long their names are.
  private static let memberPage = 500

  func members(_ ref: String, _ name: String, after: String?) {
    guard let room = hostRoom(name), room.isOpen else {
      return refuse(ref, .denied, wording.notInside(name))
    }
    var profiles = room.members.compactMap { people[$0.key]?.profile(rank: $0.value) }
    if room.isQuery {
      profiles = [
        people[features.caseMapping.fold(room.target)]?.profile()
          ?? Profile(id: features.caseMapping.fold(room.target), name: room.target)
      ]
    }
    profiles.sort { $0.id < $1.id }
    if let after { profiles.removeAll { $0.id <= after } }
    let page = profiles.prefix(Self.memberPage)
    tellHost(
      .members(
        ref: ref, Array(page), next: page.count < profiles.count ? page.last?.id : nil))
  }

  // MARK: - Channels

  /// How long a list is good enough to choose from: it may be megabytes.
  private static let listAge = Duration.seconds(300)

  func list(_ ref: String, after: String?, isForHost: Bool = true, arguments: String = "") {
    if isForHost, let listed, now.uptime - listed.at < Self.listAge {
      return tellPage(of: listed.items, ref, after: after)
    }
    guard case .online = stage else { return refuse(ref, .retry, wording.hungUp) }
    let words = arguments.split(separator: " ").map(String.init)
    begin(
      Transaction(
        .list(ChannelList(isForHost: isForHost, after: after)), ref: ref, lineCount: 1),
      [OutgoingLine("LIST", words)])
  }

  private var currentList: (ChannelList, Transaction)? {
    for transaction in transactions {
      if case .list(let list) = transaction.kind { return (list, transaction) }
    }
    return nil
  }

  func beginList() { currentList?.0.hasBegun = true }

  func takeListItem(_ incoming: Incoming) {
    beginList()
    guard let (list, _) = currentList, list.items.count < ChannelList.limit else { return }
    let line = incoming.line
    list.items.append(
      (
        line.parameter(1).cut(to: 200), FormattedText(line.lastParameter).plain.cut(to: 400),
        Int(line.parameter(2)).map { max(0, $0) } ?? 0
      ))
  }

  /// The list may be sent bit by bit, behind what was asked after it.
  func endList() {
    guard let (_, transaction) = currentList, transaction.labels.isEmpty else { return }
    finish(transaction)
  }

  func finishList(_ list: ChannelList, _ transaction: Transaction) {
    guard let ref = transaction.ref else { return }
    if let failure = transaction.failure { return tellHost(.error(ref: ref, failure)) }
    guard list.isForHost else { return tellList(list, ref) }
    let items = list.items.sorted { $0.name < $1.name }.map {
      RoomItem(room: $0.name, title: $0.topic.isEmpty ? nil : $0.topic, members: $0.members)
    }
    listed = (items, now.uptime)
    tellPage(of: items, ref, after: list.after)
  }

  private func tellPage(of items: [RoomItem], _ ref: String, after: String?) {
    let items = after.map { after in items.filter { $0.room > after } } ?? items
    let page = Array(items.prefix(Self.memberPage))
    tellHost(.rooms(ref: ref, page, next: page.count < items.count ? page.last?.room : nil))
  }

  private func tellList(_ list: ChannelList, _ ref: String) {
    let most = list.items.sorted { $0.members > $1.members }.prefix(20)
    for item in most { tellUser("\(item.name) (\(item.members)) \(item.topic)") }
    let count = list.items.count
    tellHost(
      .done(
        ref: ref,
        notice: wording.say(
          "\(count) channels; /rooms shows all", "채널 \(count)개, 전부 보려면 /rooms")))
  }
}
