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
      the system says who calls. Others reach it as tcp://host/ROOM,
      tls://host/ROOM or unix:///socket?room=ROOM.
      """,
      """
      PATH는 방 파일, 또는 이름.jsonl이 각각 방인 폴더입니다 (기본값: 내 방들).
      --listen이 없으면 내 유닉스 소켓에서 기다리고, 누구인지는 시스템이 알려 줍니다.
      다른 사람은 tcp://host/ROOM, tls://host/ROOM, unix:///socket?room=ROOM으로
      들어옵니다.
      """),
    options: [
      "listen", "stdio", "open", "insecure", "read-only", "no-new-rooms", "max-connections",
      "max-rate", "json",
    ],
    run: { try await Serve($0).run() })
}
