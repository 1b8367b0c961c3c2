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
    try session.discardUnsent(in: session.current)
  },
  Command(
    "history", "[message or date]", .message, "read back in the pager, from a message or a day",
    "메시지나 날짜부터 지난 대화 읽기"
  ) { session, arguments throws(CommandError) in
    try session.readBack(arguments)
  },
  Command(
    "join", "ROOM", .room,
    "open a room beside the others, or turn to it; Alt-a turns to the next with something new",
    "방을 더 열거나 그 방으로 가기. Alt-a는 새 메시지가 있는 다음 방으로"
  ) { session, arguments throws(CommandError) in
    try session.join(arguments)
  },
  Command("leave", "[ROOM]", .openRoom, "leave a room; the last one ends Banter", "방 나가기") {
    session, arguments throws(CommandError) in
    try session.runLeave(arguments)
  },
  Command("quit", "", .none, "leave Banter", "끝내기") { session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.leave(session.rooms)
  },
  Command("retry", "", .none, "try again to send what failed", "보내지 못한 메시지 다시 보내기") {
    session, arguments throws(CommandError) in
    try session.refuseArguments(arguments)
    session.retryUnsent()
  },
  Command("rooms", "", .none, "list the rooms that are open, and others", "열린 방과 다른 방 목록") {
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
