/// What is about the room and what waits for it.
let roomCommands: [Command] = [
  Command("search", "words", .text, "find messages of all rooms", "모든 방의 메시지 찾기") {
    session, arguments throws(CommandError) in
    try session.search(arguments)
  },
  Command(
    "log", "[on, off, status, export FILE]", .choice { ["on", "off", "status", "export "] },
    "the session log", "세션 기록"
  ) { session, arguments throws(CommandError) in
    try session.runLog(arguments)
  },
  Command("discard", "", .none, "give up messages that were not sent", "보내지 못한 메시지 버리기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.discardUnsent()
  },
  Command(
    "history", "[message or date]", .message, "read back in the pager, from a message or a day",
    "메시지나 날짜부터 지난 대화 읽기"
  ) { session, arguments throws(CommandError) in
    try session.readBack(arguments)
  },
  Command("leave", "", .none, "leave the room", "방 나가기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.leave()
  },
  Command("quit", "", .none, "leave Banter", "끝내기") { session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.leave()
  },
  Command("retry", "", .none, "try again to send what failed", "보내지 못한 메시지 다시 보내기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.retryUnsent()
  },
  Command("rooms", "", .none, "list the rooms that are there", "방 목록") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.listRooms()
  },
  Command("status", "", .none, "tell how the room is reached and what waits", "연결과 대기 상태") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.showStatus()
  },
]
