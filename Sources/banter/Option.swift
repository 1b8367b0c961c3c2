internal import ChatSession

/// One option of the command line: how it is written, what it means, and what
/// it sets.
struct Option: Sendable {
  var long: String
  var short: Character?
  /// What `--help` calls its value; nil where it takes none.
  var value: String?
  var summary: LocalizedText
  var apply: @Sendable (inout Options, String) -> Void

  static func named(_ long: String) -> Option? { all.first { $0.long == long } }

  /// What every subcommand takes.
  static let common = ["help", "version"]

  static let all: [Option] = [
    Option(
      long: "as", value: "NAME", summary: LocalizedText("who you are for this run", "이번 실행의 내 이름")
    ) { $0.name = $1 },
    Option(
      long: "profile-id", value: "ID",
      summary: LocalizedText(
        "your id for this run (default: the name of --as)", "이번 실행의 내 아이디 (기본값: --as의 이름)")
    ) { $0.profileID = $1 },
    Option(
      long: "style", value: "STYLE",
      summary: LocalizedText("bubble, compact or plain", "메시지 모양: bubble, compact, plain")
    ) { $0.style = $1 },
    Option(
      long: "color", value: "WHEN",
      summary: LocalizedText("auto, always or never", "색: auto, always, never")
    ) { $0.color = $1 },
    Option(
      long: "tail", value: "N",
      summary: LocalizedText(
        "messages shown when a room is opened (default 50)", "방을 열 때 보이는 메시지 수 (기본값 50)")
    ) { $0.tail = $1 },
    Option(
      long: "lines", short: "n", value: "N",
      summary: LocalizedText("how many at most (default 50)", "최대 개수 (기본값 50)")
    ) { $0.count = $1 },
    Option(
      long: "follow", short: "f",
      summary: LocalizedText(
        "go on with what arrives; wait for a room that is not there",
        "새 메시지를 이어서 출력; 없는 방은 기다림")
    ) { options, _ in options.follows = true },
    Option(
      long: "json",
      summary: LocalizedText(
        "one JSON object a line; messages are as in the room file",
        "한 줄에 JSON 객체 하나; 메시지는 방 파일과 같은 형식")
    ) { options, _ in options.isJSON = true },
    Option(
      long: "room", value: "ROOM", summary: LocalizedText("only this room", "이 방만")
    ) { $0.room = $1 },
    Option(
      long: "since", value: "DAY",
      summary: LocalizedText("only from this day on, such as 2026-11-30", "이 날부터, 2026-11-30과 같이")
    ) { $0.since = $1 },
    Option(
      long: "format", value: "FORMAT",
      summary: LocalizedText(
        "text, markdown, html or jsonl (default: as the file's name says, else text)",
        "text, markdown, html, jsonl (기본값: 파일 이름대로, 아니면 text)")
    ) { $0.format = $1 },
    Option(
      long: "output", short: "o", value: "FILE",
      summary: LocalizedText("a new file instead of standard output", "표준 출력 대신 새 파일")
    ) { $0.output = $1 },
    Option(
      long: "attach", value: "PATH",
      summary: LocalizedText(
        "an image or a file that goes with the text; may be repeated",
        "글과 함께 보낼 이미지나 파일; 여러 번 쓸 수 있음")
    ) { $0.attachments.append($1) },
    Option(
      long: "no-queue",
      summary: LocalizedText(
        "fail rather than keep for later what cannot be sent now", "지금 보낼 수 없으면 남겨 두지 않고 실패")
    ) { options, _ in options.queues = false },
    Option(
      long: "listen", value: "ADDRESS",
      summary: LocalizedText(
        "tcp://host:port, tls://host:port or unix:///path; may be repeated",
        "tcp://host:port, tls://host:port, unix:///path; 여러 번 쓸 수 있음")
    ) { $0.listen.append($1) },
    Option(
      long: "socket-mode", value: "MODE",
      summary: LocalizedText(
        "who may call at unix:// (default 600; 660 with a group)",
        "unix:// 소켓의 권한, 8진수 (기본값 600; 그룹이 있으면 660)")
    ) { $0.socketMode = $1 },
    Option(
      long: "socket-group", value: "GROUP",
      summary: LocalizedText("give the socket at unix:// to a group", "unix:// 소켓을 쓸 그룹")
    ) { $0.socketGroup = $1 },
    Option(
      long: "stdio",
      summary: LocalizedText("serve standard input and output", "표준 입력과 출력으로 연결")
    ) { options, _ in options.usesStandardStreams = true },
    Option(
      long: "open",
      summary: LocalizedText("let anyone come in as anyone", "누구나 어떤 이름으로든 들어옴")
    ) { options, _ in options.isOpen = true },
    Option(
      long: "insecure",
      summary: LocalizedText("without TLS beyond this machine", "다른 기기와도 TLS 없이")
    ) { options, _ in options.isInsecure = true },
    Option(
      long: "cert", value: "FILE",
      summary: LocalizedText("the certificate for tls://, in PEM form", "tls://의 인증서 (PEM)")
    ) { $0.certificate = $1 },
    Option(
      long: "key", value: "FILE",
      summary: LocalizedText("its private key, in PEM form", "인증서의 개인 키 (PEM)")
    ) { $0.key = $1 },
    Option(
      long: "read-only", summary: LocalizedText("take nothing in", "읽기만")
    ) { options, _ in options.isReadOnly = true },
    Option(
      long: "read-write",
      summary: LocalizedText("an existing user may write again", "이미 있는 사용자에게 쓰기를 다시 허락")
    ) { options, _ in options.mayWrite = true },
    Option(
      long: "all-rooms",
      summary: LocalizedText(
        "an existing user may come into every room again", "이미 있는 사용자에게 모든 방을 다시 허락")
    ) { options, _ in options.allowsAllRooms = true },
    Option(
      long: "no-new-rooms",
      summary: LocalizedText("only rooms that are there", "이미 있는 방만")
    ) { options, _ in options.makesRooms = false },
    Option(
      long: "max-connections", value: "N",
      summary: LocalizedText("how many may be there (default 10000)", "동시 연결 수 (기본값 10000)")
    ) { $0.maximumConnections = $1 },
    Option(
      long: "max-rate", value: "N",
      summary: LocalizedText(
        "events a second and connection (default: no limit)", "연결마다 초당 이벤트 수 (기본값: 제한 없음)")
    ) { $0.maximumRate = $1 },
    Option(
      long: "max-file", value: "MIB",
      summary: LocalizedText(
        "how large one file may be (64 MB at most)", "파일 하나의 크기 (최대 64 MB)")
    ) { $0.maximumFile = $1 },
    Option(long: "no-log", summary: LocalizedText("keep no session log", "세션 기록을 남기지 않음")) {
      options, _ in options.keepsLog = false
    },
    Option(
      long: "help", short: "h", summary: LocalizedText("help, also of a subcommand", "도움말")
    ) { options, _ in options.showsHelp = true },
    Option(long: "version", short: "V", summary: LocalizedText("the version", "버전")) {
      options, _ in options.showsVersion = true
    },
  ]

  /// How it is written, its value included: `-n, --lines N`.
  var synopsis: String {
    (short.map { "-\($0), " } ?? "") + "--\(long)" + (value.map { " \($0)" } ?? "")
  }
}
