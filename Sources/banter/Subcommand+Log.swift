internal import ChatSession
internal import Glibc
internal import SessionLog

/// What is done with the session log.
extension Subcommand {
  static let logCommands = [
    logSessions, logShow, logSearch, logExport, logIndex, logCopy, logCheck, outboxList,
    outboxFlush, outboxDiscard,
  ]

  static let logSessions = Subcommand(
    name: "log sessions", usage: "banter log sessions",
    summary: LocalizedText("list sessions", "세션 목록"),
    details: LocalizedText(
      "One line a session, the newest last: number, room, times, messages.",
      "한 줄에 세션 하나, 최근 것이 마지막입니다: 번호, 방, 시각, 메시지 수."),
    options: ["lines", "json"], run: { try await LogSessions($0).run() })

  static let logShow = Subcommand(
    name: "log show", usage: "banter log show [SESSION]",
    summary: LocalizedText("read a session back", "세션 다시 읽기"),
    details: LocalizedText(
      "Shows what was said in the newest session, or the one named, in $PAGER.",
      "최근 세션이나 그 번호의 세션에서 오간 말을 $PAGER로 보여 줍니다."),
    options: ["json", "style", "color"], run: { try await LogShow($0).run() })

  static let logExport = Subcommand(
    name: "log export", usage: "banter log export",
    summary: LocalizedText("write messages out", "메시지 내보내기"),
    details: LocalizedText(
      """
      Writes what is in the log to standard output or a new file: as text,
      Markdown, one page of HTML with bubbles, or the events themselves.
      """,
      """
      기록에 있는 메시지를 표준 출력이나 새 파일에 씁니다: 글, Markdown, 말풍선이 있는
      HTML 한 쪽, 또는 이벤트 그대로.
      """),
    options: ["room", "since", "format", "output"], run: { try await LogExportCommand($0).run() })

  static let outboxList = Subcommand(
    name: "outbox list", usage: "banter outbox list",
    summary: LocalizedText("list what waits to be sent", "보낼 메시지 목록"),
    details: LocalizedText(
      """
      A line a message, oldest first: number, the room's address, time, text, and
      why it was not taken. The number is for banter outbox discard.
      """,
      """
      한 줄에 메시지 하나, 오래된 것부터: 번호, 방 주소, 시각, 내용, 보내지 못한 까닭.
      번호는 banter outbox discard에 씁니다.
      """), options: ["json"],
    run: { try await OutboxCommand($0).list() })

  static let outboxFlush = Subcommand(
    name: "outbox flush", usage: "banter outbox flush",
    summary: LocalizedText("send what waits", "남은 메시지 보내기"),
    details: LocalizedText(
      "Sends what no session is sending; exit status 75 when something still waits.",
      "보내는 세션이 없는 메시지를 보냅니다. 아직 남으면 종료 상태는 75입니다."),
    options: [], run: { try await OutboxCommand($0).flush() })

  static let outboxDiscard = Subcommand(
    name: "outbox discard", usage: "banter outbox discard [NUMBER...]",
    summary: LocalizedText("give up what waits", "남은 메시지 버리기"),
    details: LocalizedText(
      "Gives up all that waits, or what has these numbers of the list.",
      "남은 메시지를 모두, 또는 목록의 번호로 버립니다."),
    options: [], run: { try await OutboxCommand($0).discard() })

  static let logSearch = Subcommand(
    name: "log search", usage: "banter log search WORDS...",
    summary: LocalizedText("find messages of all rooms", "모든 방의 메시지 찾기"),
    details: LocalizedText(
      """
      Finds parts of words too, in any script, newest first. All words must be in
      the message; "a phrase" stands in quotes. from:NAME, in:ROOM, after:DAY,
      before:DAY and has:image narrow it; a DAY is such as 2026-11-30. before: leaves
      that day out, after: takes it in. A word that begins with - stands after --.
      """,
      """
      모든 문자에서 낱말의 일부도 찾고, 새 메시지부터 보입니다. 모든 낱말이 있어야
      하며, "구절"은 따옴표로 묶습니다. from:이름, in:방, after:날짜, before:날짜,
      has:image로 좁힙니다. 날짜는 2026-11-30과 같이 쓰며, after:는 그날부터,
      before:는 그 전날까지입니다. -로 시작하는 낱말은 -- 뒤에 씁니다.
      """),
    options: ["lines", "json", "style", "color"],
    run: {
      var search = try LogSearch($0)
      return try await search.run()
    })

  static let logIndex = Subcommand(
    name: "log index", usage: "banter log index ROOM",
    summary: LocalizedText("take in a room's whole past", "방의 지난 메시지를 모두 기록에 넣기"),
    details: LocalizedText(
      """
      A session keeps what it has shown; this takes in what was said before. It
      may be interrupted, and then goes on where it was.
      """,
      """
      세션은 보여 준 것만 남깁니다. 이 명령은 그 전의 메시지도 기록에 넣습니다.
      중단해도 되며, 다음에 그 자리에서 이어집니다.
      """),
    options: [],
    run: { try await LogIndex($0).run() })

  static let logCopy = Subcommand(
    name: "log copy", usage: "banter log copy ROOM ADDRESS",
    summary: LocalizedText("copy a room to another place", "방을 다른 곳으로 복사하기"),
    details: LocalizedText(
      """
      Copies all that is in a room file, with its ids, authors, times and files, to
      another room, such as nats://host1,host2,host3/room. It may be interrupted, and
      goes on where it was; run again, it copies what is new. Exit status 75 when
      the other place is out of reach, 65 when something was not taken.
      """,
      """
      방 파일의 모든 내용을 번호, 글쓴이, 시각, 파일까지 그대로 다른 방에 복사합니다.
      예: nats://host1,host2,host3/room. 중단해도 되며, 다음에 그 자리에서 이어집니다.
      다시 실행하면 새로운 것만 복사합니다. 닿을 수 없으면 종료 상태는 75, 받지 않은
      것이 있으면 65입니다.
      """),
    options: [], run: { try await LogCopy($0).run() })

  static let logCheck = Subcommand(
    name: "log check", usage: "banter log check [FILE]",
    summary: LocalizedText("check the log, or a room file", "기록이나 방 파일 검사"),
    details: LocalizedText(
      """
      Without FILE, checks the session log, counts what is in it, and makes its
      search index anew. Of a room file, or a room by its name, tells each line
      that is no event, by its number. Exit status 65 when something is wrong.
      """,
      """
      FILE이 없으면 세션 기록을 검사하고, 내용을 세고, 검색 색인을 다시 만듭니다.
      방 파일이나 방 이름이면 이벤트가 아닌 줄을 줄 번호로 알립니다. 잘못이 있으면
      종료 상태는 65입니다.
      """), options: [], run: { try await LogCheck($0).run() })
}

extension LogError.Code {
  /// The exit status that tells of it (sysexits.h).
  var exitStatus: Int32 {
    switch self {
    case .damaged, .newer: EX_DATAERR
    case .busy: EX_TEMPFAIL
    case .denied: EX_NOPERM
    case .notFound: EX_NOINPUT
    default: EX_IOERR
    }
  }
}
