internal import Transport

/// The commands that the host's user types; see ``SessionCommand``.
extension IRCSession {
  func command(_ ref: String, _ roomName: String, _ name: String, _ arguments: String) {
    guard let command = SessionCommand.named(name.lowercased()) else {
      return refuse(
        ref, .unsupported, wording.say("there is no /\(name) here", "여기에는 /\(name)이 없습니다"))
    }
    guard case .online = stage else {
      return refuse(
        ref, .retry,
        wording.say(
          "not connected; /\(name) was not sent", "연결되지 않아 /\(name) 명령을 보내지 않았습니다"))
    }
    let room = hostRoom(roomName)
    if room?.isOpen == true { activeRoom = room }
    let words = arguments.split(separator: " ")
    guard let lines = command.lines(room?.target ?? roomName, words, arguments) else {
      return refuse(
        ref, .invalid,
        wording.say(
          "write /\(command.name) \(command.arguments)",
          "/\(command.name) \(command.arguments)로 적으세요"))
    }
    switch command.name {
    case "whois": whois(ref, String(words[0]), profileID: nil)
    case "list": list(ref, after: nil, isForHost: false, arguments: arguments)
    case "motd": tellMessageOfTheDay(ref)
    case "nick": changeNick(ref, lines)
    case "msg": whisper(ref, lines, to: String(words[0]))
    default: begin(Transaction(.command, ref: ref, lineCount: lines.count), lines)
    }
  }

  private func changeNick(_ ref: String, _ lines: [OutgoingLine]) {
    askedNick = lines[0].parameters.first
    begin(Transaction(.command, ref: ref, lineCount: lines.count), lines)
  }

  private func tellMessageOfTheDay(_ ref: String) {
    for line in messageOfTheDay { tellUser(line) }
    let isEmpty = messageOfTheDay.isEmpty
    tellHost(
      .done(
        ref: ref,
        notice: isEmpty ? wording.say("the server has none", "서버에 없습니다") : nil))
  }

  /// What was whispered is told where it was typed.
  private func whisper(_ ref: String, _ lines: [OutgoingLine], to nick: String) {
    let budget = budget(for: nick)
    let parts = lines.flatMap { line in
      MessageSplitter.parts(of: line.parameters.last ?? "", budget: budget).map {
        OutgoingLine("PRIVMSG", nick, trailing: $0)
      }
    }
    let transaction = Transaction(.command, ref: ref, lineCount: parts.count)
    let text = lines.compactMap(\.parameters.last).joined(separator: " ")
    transaction.notice = wording.say("to \(nick): \(text)", "\(nick) 님에게: \(text)")
    begin(transaction, parts)
  }

  /// Takes a reply that answers a command, where one was given.
  func commandAnswer(_ text: String, to incoming: Incoming) {
    let command = incoming.transaction ?? transactions.first { $0.isCommand && $0.isUnlabeled }
    guard let command, command.isCommand else { return }
    let answers = [command.notice, text].compactMap(\.self).joined(separator: "; ")
    command.notice = answers.cut(to: Self.noticeLimit)
  }

  /// Bytes of what the plugin tells in one.
  static let noticeLimit = 16_384
}
