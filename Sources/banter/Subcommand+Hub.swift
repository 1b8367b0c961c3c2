internal import ChatSession

/// What is done with a hub.
extension Subcommand {
  static let serve = Subcommand(
    name: "serve", usage: "banter serve [PATH]",
    summary: LocalizedText("share a room, or a folder of rooms", "방이나 폴더를 함께 쓰기"),
    details: LocalizedText(
      """
      PATH is a room file, or a folder in which each NAME.jsonl is a room (default:
      your own rooms). Without --listen it listens at a Unix socket of yours, where
      the system says who calls, or at what systemd hands over. Others reach it as
      tcp://host/ROOM, tls://host/ROOM or unix:///socket?room=ROOM. Who may come in
      over TCP and TLS is said by banter user add, or by --open; over a Unix socket,
      by --socket-group and --socket-mode.
      """,
      """
      PATH는 방 파일, 또는 이름.jsonl이 각각 방인 폴더입니다 (기본값: 내 방들).
      --listen이 없으면 내 유닉스 소켓이나 systemd가 넘겨준 소켓에서 기다리고, 누구인지는
      시스템이 알려 줍니다. 다른 사람은 tcp://host/ROOM, tls://host/ROOM,
      unix:///socket?room=ROOM으로 들어옵니다. TCP와 TLS로 누가 들어올지는 banter user
      add나 --open으로, 유닉스 소켓은 --socket-group과 --socket-mode로 정합니다.
      """),
    options: [
      "listen", "socket-mode", "socket-group", "stdio", "open", "insecure", "cert", "key",
      "read-only", "no-new-rooms", "max-connections", "max-rate", "max-file", "json",
    ],
    meanings: [
      "read-only": LocalizedText("take nothing in from anyone", "아무에게서도 받지 않음"),
      "json": LocalizedText(
        "what it tells on standard error: one JSON object a line",
        "표준 오류에 쓰는 것을 한 줄에 JSON 객체 하나로"),
    ],
    run: { try await Serve($0).run() })

  static let userCommands = [userAdd, userRemove, userList]

  static let userAdd = Subcommand(
    name: "user add", usage: "banter user add NAME [PATH]",
    summary: LocalizedText("let somebody into what is served", "들어올 사람 추가"),
    details: LocalizedText(
      """
      Asks for a password; without a terminal, reads it from standard input. PATH is
      what banter serve is given. --room a,b allows these rooms only, --read-only
      nothing but reading. Of a user who is there it changes the password; the rooms
      and the right stay, unless --room, --all-rooms, --read-only or --read-write
      says otherwise. A hub that runs reads it on SIGHUP (kill -HUP).
      """,
      """
      비밀번호를 묻습니다. 터미널이 아니면 표준 입력에서 읽습니다. PATH는 banter serve에
      쓴 것과 같습니다. --room a,b는 그 방만, --read-only는 읽기만 허락합니다. 이미 있는
      사용자는 비밀번호를 바꿉니다. 방과 권한은 --room, --all-rooms, --read-only,
      --read-write를 쓰지 않으면 그대로입니다. 실행 중인 허브는 SIGHUP(kill -HUP)을 받으면
      읽습니다.
      """),
    options: ["room", "all-rooms", "read-only", "read-write"],
    meanings: [
      "room": LocalizedText("only these rooms, commas between: a,b", "이 방만, 쉼표로 나눔: a,b"),
      "read-only": LocalizedText("the user may only read", "이 사용자는 읽기만"),
    ],
    run: { try UserCommand($0, wantsName: true).add() })

  static let userRemove = Subcommand(
    name: "user remove", usage: "banter user remove NAME [PATH]",
    summary: LocalizedText("let somebody in no more", "들어올 사람 제거"),
    details: LocalizedText(
      """
      A hub that runs reads it on SIGHUP (kill -HUP), and lets go of that user. PATH
      is what banter serve is given.
      """,
      """
      실행 중인 허브는 SIGHUP(kill -HUP)을 받으면 읽고 그 사용자를 내보냅니다. PATH는
      banter serve에 쓴 것과 같습니다.
      """),
    options: [], run: { try UserCommand($0, wantsName: true).remove() })

  static let userList = Subcommand(
    name: "user list", usage: "banter user list [PATH]",
    summary: LocalizedText("list who may come in", "들어올 수 있는 사람"),
    details: LocalizedText(
      "A line each: name, rooms, rights.", "한 줄에 한 사람: 이름, 방, 권한."),
    options: [], run: { try UserCommand($0, wantsName: false).list() })
}
