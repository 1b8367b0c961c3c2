internal import ChatSession
internal import Glibc
internal import SessionLog

/// What is done with the session log.
extension Subcommand {
  static let logCommands = [logSearch, logIndex, logCheck]

  static let logSearch = Subcommand(
    name: "log search", usage: "banter log search WORDS...",
    summary: LocalizedText("find messages of all rooms", "모든 방의 메시지 찾기"),
    details: LocalizedText(
      """
      Finds parts of words too, in any script, newest first. All words must be in
      the message; "a phrase" stands in quotes. from:NAME, in:ROOM, after:DAY,
      before:DAY and has:image narrow it; a DAY is such as 2026-11-30.
      """,
      """
      모든 문자에서 낱말의 일부도 찾고, 새 메시지부터 보입니다. 모든 낱말이 있어야
      하며, "구절"은 따옴표로 묶습니다. from:이름, in:방, after:날짜, before:날짜,
      has:image로 좁힙니다. 날짜는 2026-11-30과 같이 씁니다.
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

  static let logCheck = Subcommand(
    name: "log check", usage: "banter log check [FILE]",
    summary: LocalizedText("check the log, or a room file", "기록이나 방 파일 검사"),
    details: LocalizedText(
      """
      Without FILE, checks the session log, counts what is in it, and makes its
      search index anew. Of a room file, tells each line that is no event, by its
      number. Exit status 65 when something is wrong.
      """,
      """
      FILE이 없으면 세션 기록을 검사하고, 내용을 세고, 검색 색인을 다시 만듭니다.
      방 파일이면 이벤트가 아닌 줄을 줄 번호로 알립니다. 잘못이 있으면 종료 상태는
      65입니다.
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
