internal import TerminalText

/// What is about the view, the settings and Banter itself.
let viewCommands: [Command] = [
  Command(
    "alias", "[name] [/command ...]", .text, "make a command of your own, or list them",
    "나만의 명령 만들기, 목록"
  ) { session, arguments throws(CommandError) in
    try session.alias(arguments)
  },
  Command("clear", "", .none, "clear the screen", "화면 지우기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.surface.clearScreen()
  },
  Command("help", "[command]", .command, "list the commands, or explain one", "명령 도움말") {
    session, arguments throws(CommandError) in
    try session.showHelp(arguments)
  },
  Command("hide", "", .none, "hide the prompt until the next key, to read", "다음 키까지 입력줄 숨기기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.surface.hideLine()
  },
  Command(
    "set", "[key [value]]", .setting, "show or change settings for this session", "설정 보기와 바꾸기"
  ) {
    session, arguments throws(CommandError) in
    try session.set(arguments)
  },
  Command(
    "style", "bubble|compact|plain", .choice { Style.allCases.map(\.rawValue) },
    "change how messages look", "메시지 모양 바꾸기"
  ) { session, arguments throws(CommandError) in
    try session.set("style " + arguments)
  },
]
