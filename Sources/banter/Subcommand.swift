internal import ChatSession
internal import TerminalText

/// One subcommand: how it is called, what it is for, and what it does.
struct Subcommand: Sendable {
  var name: String
  var usage: String
  var summary: LocalizedText
  /// What `--help` adds, with its own line breaks.
  var details: LocalizedText
  /// The options it takes beside ``Option/common``, by their long names.
  var options: [String]
  /// What an option means here, by its long name, where it means something
  /// else elsewhere.
  var meanings: [String: LocalizedText] = [:]
  /// - Returns: the exit status (sysexits.h).
  var run: @MainActor @Sendable (Invocation) async throws -> Int32

  /// The first one is what is meant when no other is named.
  static let all =
    [openRoom, send, tail, serve] + userCommands + logCommands + pluginCommands

  static let openRoom = Subcommand(
    name: "", usage: "banter [ROOM]",
    summary: LocalizedText("open a room (default: lobby)", "방 열기 (기본값: lobby)"),
    details: LocalizedText(
      """
      ROOM is a bare name (lobby is rooms/lobby.jsonl in the data folder), a path
      with a / or ending in .jsonl, file:///absolute/path.jsonl, or the room of a hub:
      tcp://host/ROOM, tls://host/ROOM, unix:///socket?room=ROOM, or a file elsewhere:
      ssh://host/path.jsonl.

      When standard input is no terminal, each of its lines is sent as it is.
      """,
      """
      ROOM은 이름(lobby는 데이터 폴더의 rooms/lobby.jsonl), / 가 들어 있거나
      .jsonl로 끝나는 경로, file:///절대/경로.jsonl, 또는 허브의 방 tcp://host/ROOM,
      tls://host/ROOM, unix:///socket?room=ROOM, 다른 기기의 파일
      ssh://host/경로.jsonl 입니다.

      표준 입력이 터미널이 아니면 각 줄을 그대로 보냅니다.
      """),
    options: ["as", "profile-id", "style", "color", "tail", "no-log"],
    run: { try await OpenRoom($0).run() })

  static let send = Subcommand(
    name: "send", usage: "banter send ROOM [TEXT...]",
    summary: LocalizedText("send a message, or each line of input", "메시지 하나 또는 입력의 각 줄 보내기"),
    details: LocalizedText(
      """
      Returns when the room has the message durably. Without TEXT, each line of
      standard input is a message; empty lines are passed over. What cannot be sent
      now waits in the outbox (exit status 75) and goes out with the next run in
      that room.

      With --attach, TEXT is the caption, and may be left out; standard input is not
      read. All files are in the room before the message is, and files do not wait in
      the outbox: where one cannot be sent, nothing is. Photos and films go without
      the place where they were taken and what else they tell (images.keepPlace).
      """,
      """
      방이 메시지를 확실히 저장하면 끝납니다. TEXT가 없으면 표준 입력의 각 줄이
      메시지이고, 빈 줄은 건너뜁니다. 지금 보낼 수 없는 것은 남겨 두고(종료 상태 75)
      그 방에서 다음에 실행할 때 보냅니다.

      --attach가 있으면 TEXT는 설명이고, 없어도 됩니다. 표준 입력은 읽지 않습니다.
      파일을 모두 방에 둔 다음에 메시지를 보냅니다. 파일은 남겨 두지 않으므로, 하나라도
      보낼 수 없으면 아무것도 보내지 않습니다. 사진과 동영상은 촬영 위치를 지우고 보냅니다
      (images.keepPlace).
      """),
    options: ["attach", "as", "profile-id", "no-queue", "no-log"],
    run: {
      var command = try Send($0)
      return try await command.run()
    })

  static let tail = Subcommand(
    name: "tail", usage: "banter tail ROOM [-n N] [-f] [--json]",
    summary: LocalizedText(
      "print a room's messages; -f goes on", "방의 메시지 출력; -f는 이어서 출력"),
    details: LocalizedText(
      "Prints in the order of the room; plain lines where the output is no terminal.",
      "방에 쓰인 순서로 출력합니다. 터미널이 아니면 꾸밈 없는 줄로 씁니다."),
    options: ["lines", "follow", "json", "as", "profile-id", "style", "color"],
    run: {
      var command = try Tail($0)
      return try await command.run()
    })

  /// - Throws: the first option that was given and is not one of this
  ///   subcommand's.
  func check(_ options: Options) throws(UsageError) {
    let known = self.options + Option.common
    guard let stranger = options.given.first(where: { !known.contains($0) }) else { return }
    let command = "banter \(name)".trimmed
    throw UsageError(
      "--\(stranger) does not belong to \(command); see \(command) --help",
      "--\(stranger) 옵션은 \(command)에 쓸 수 없습니다. \(command) --help를 보세요")
  }
}
