internal import ChatModel
internal import TerminalText

/// What is about people.
let peopleCommands: [Command] = [
  Command(
    "ignore", "[profile]", .profile,
    "hide somebody's messages, or show them again; list who is hidden",
    "누군가의 메시지 숨기기, 다시 보이기, 목록"
  ) { session, arguments throws(CommandError) in
    if arguments.isEmpty { return session.listIgnored() }
    let profile = try session.profile(arguments)
    try session.toggleIgnored(profile)
  },
  Command("name", "NAME", .text, "change your name", "내 이름 바꾸기") {
    session, arguments throws(CommandError) in
    guard !arguments.isEmpty else {
      throw CommandError(session.language("say which: /name Jane", "이름을 쓰세요: /name 민수"))
    }
    guard !arguments.contains(where: \.isNewline) else {
      throw CommandError(session.language("a name is one line", "이름은 한 줄입니다"))
    }
    session.rename(arguments)
  },
  Command("profile", "[id or name]", .profile, "show somebody's card, or your own", "프로필 보기") {
    session, arguments throws(CommandError) in
    try session.runProfile(arguments)
  },
  Command("who", "", .none, "list who has been seen here", "이 방에서 본 사람들") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.listPeople()
  },
]
