internal import TerminalText
internal import Transport

/// What the user can do besides talking: one row a command.
struct SessionCommand {
  let name: String
  let arguments: String
  let english: String
  let korean: String
  /// Makes the lines to send, from the room's name and the words; nil where
  /// they make no sense.
  let lines: @Sendable (_ room: String, _ words: [Substring], _ rest: String) -> [OutgoingLine]?

  func described(in language: Language) -> RoomCommand {
    RoomCommand(
      name: name, arguments: arguments, help: language == .korean ? korean : english)
  }

  static func named(_ name: String) -> SessionCommand? { all.first { $0.name == name } }

  static let all: [SessionCommand] = [
    SessionCommand(
      name: "topic", arguments: "[text]", english: "shows or sets the topic of the channel",
      korean: "채널의 주제를 보거나 정합니다"
    ) { room, _, rest in
      [rest.isEmpty ? OutgoingLine("TOPIC", room) : OutgoingLine("TOPIC", room, trailing: rest)]
    },
    SessionCommand(
      name: "msg", arguments: "nick text", english: "says something to one person",
      korean: "한 사람에게만 말합니다"
    ) { _, words, rest in
      guard words.count > 1 else { return nil }
      return [OutgoingLine("PRIVMSG", String(words[0]), trailing: behind(1, rest))]
    },
    SessionCommand(
      name: "kick", arguments: "nick [reason]", english: "puts somebody out of the channel",
      korean: "채널에서 내보냅니다"
    ) { room, words, rest in
      guard let nick = words.first else { return nil }
      return [OutgoingLine("KICK", room, String(nick), trailing: behind(1, rest))]
    },
    SessionCommand(
      name: "ban", arguments: "[nick or mask]",
      english: "lets somebody in no more, or lists who is not let in",
      korean: "다시 들어오지 못하게 하거나 그 목록을 봅니다"
    ) { room, words, _ in
      guard let mask = words.first else { return [OutgoingLine("MODE", room, "b")] }
      let isMask = mask.contains { "!@*$".contains($0) }
      return [OutgoingLine("MODE", room, "+b", isMask ? String(mask) : "\(mask)!*@*")]
    },
    SessionCommand(
      name: "unban", arguments: "mask", english: "lets somebody in again",
      korean: "다시 들어올 수 있게 합니다"
    ) { room, words, _ in
      guard let mask = words.first else { return nil }
      let isMask = mask.contains { "!@*$".contains($0) }
      return [OutgoingLine("MODE", room, "-b", isMask ? String(mask) : "\(mask)!*@*")]
    },
    SessionCommand(
      name: "mode", arguments: "[modes]", english: "shows or sets the modes of the channel",
      korean: "채널의 모드를 보거나 정합니다"
    ) { room, words, _ in
      [OutgoingLine("MODE", [room] + words.map(String.init))]
    },
    SessionCommand(
      name: "invite", arguments: "nick [channel]", english: "invites somebody",
      korean: "초대합니다"
    ) { room, words, _ in
      guard let nick = words.first else { return nil }
      return [OutgoingLine("INVITE", String(nick), words.count > 1 ? String(words[1]) : room)]
    },
    SessionCommand(
      name: "whois", arguments: "nick", english: "tells what the server knows about somebody",
      korean: "서버가 아는 정보를 봅니다"
    ) { _, words, _ in words.isEmpty ? nil : [] },
    SessionCommand(
      name: "list", arguments: "[filter]", english: "shows the largest channels of the server",
      korean: "서버에서 큰 채널들을 봅니다"
    ) { _, _, _ in [] },
    SessionCommand(
      name: "away", arguments: "[reason]", english: "tells that you are away, or back",
      korean: "자리를 비웠다고, 또는 돌아왔다고 알립니다"
    ) { _, _, rest in
      [rest.isEmpty ? OutgoingLine("AWAY") : OutgoingLine("AWAY", trailing: rest)]
    },
    SessionCommand(
      name: "nick", arguments: "name", english: "changes your name", korean: "별명을 바꿉니다"
    ) { _, words, _ in words.first.map { [OutgoingLine("NICK", String($0))] } },
    SessionCommand(
      name: "motd", arguments: "", english: "shows the server's message of the day",
      korean: "서버의 오늘의 말씀을 봅니다"
    ) { _, _, _ in [] },
    SessionCommand(
      name: "quote", arguments: "line", english: "sends a line of IRC as it is",
      korean: "IRC 줄을 그대로 보냅니다"
    ) { _, _, rest in
      rest.isEmpty ? nil : [rawLine(rest)]
    },
  ]

  /// What is behind the first words.
  static func behind(_ count: Int, _ text: String) -> String {
    var rest = text[...]
    for _ in 0..<count {
      rest = rest.drop { $0 != " " }.drop { $0 == " " }
    }
    return String(rest)
  }

  private static func rawLine(_ text: String) -> OutgoingLine {
    var text = text
    return text.withUTF8 { bytes in
      let line = IncomingLine(UnsafeRawBufferPointer(bytes))
      return OutgoingLine(line.verbText, line.parameters.map(line.text))
    }
  }
}
