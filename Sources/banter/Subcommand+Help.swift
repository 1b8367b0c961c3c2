internal import ChatSession
internal import TerminalText

/// What `--help` prints, made of the tables of subcommands and options.
extension Subcommand {
  /// The help of all of Banter.
  static func overview(_ language: Language) -> String {
    let lines = aligned(all.map { ($0.usage, language($0.summary)) })
    let opening = language(
      "Banter: a line-oriented chat for the terminal.", "Banter: 터미널의 줄 단위 채팅")
    let options = language("Options of banter [ROOM]:", "banter [ROOM]의 옵션:")
    let rest = language(
      """
      Each subcommand tells its own: banter tail --help. Options may stand before
      or after the room; -- ends them, and what follows it is no subcommand.

      Exit statuses are those of sysexits.h: 0 done, 64 usage, 65 bad data,
      66 no such room, session or user, 69 unreachable and not kept (--no-queue),
      73 cannot create, 74 input or output, 75 kept to be sent later, 76 what
      answers there does not speak the protocol, 77 refused, 130 interrupted.
      Settings: banter's config.json; see banter(1).
      """,
      """
      하위 명령의 옵션은 각각 볼 수 있습니다: banter tail --help. 옵션은 방 앞이나
      뒤에 쓸 수 있고, -- 뒤의 말은 옵션도 하위 명령도 아닙니다.

      종료 상태는 sysexits.h와 같습니다: 0 성공, 64 사용법, 65 잘못된 데이터,
      66 없는 방, 세션, 사용자, 69 연결할 수 없고 남겨 두지 않음(--no-queue), 73 만들
      수 없음, 74 입출력, 75 나중에 보냄, 76 상대가 프로토콜을 모름, 77 거부됨,
      130 중단. 설정은 config.json에 있습니다. banter(1)를 보세요.
      """)
    return """
      \(opening)

      \(lines)

      \(options)
      \(openRoom.optionLines(language))

      \(rest)
      """
  }

  /// The help of a word that begins several subcommands, such as `log`; nil
  /// where the words say which, or none.
  static func help(ofGroup words: [String], _ language: Language) -> String? {
    guard let first = words.first, words.count == 1 else { return nil }
    let group = all.filter { $0.name.hasPrefix(first + " ") }
    guard !group.isEmpty else { return nil }
    let commands = group.map { "\($0.usage)\n  \(language($0.summary))\n\n\(language($0.details))" }
    return """
      \(commands.joined(separator: "\n\n"))

      \(language("Options:", "옵션:"))
      \(aligned(Option.common.compactMap(Option.named).map { ($0.synopsis, language($0.summary)) }))
      """
  }

  /// The help of this subcommand.
  func help(_ language: Language) -> String {
    """
    \(usage)
      \(language(summary))

    \(language(details))

    \(language("Options:", "옵션:"))
    \(optionLines(language))
    """
  }

  private func optionLines(_ language: Language) -> String {
    let options = (self.options + Option.common).compactMap(Option.named)
    return Self.aligned(
      options.map { ($0.synopsis, language(meanings[$0.long] ?? $0.summary)) })
  }

  private static func aligned(_ rows: [(left: String, right: String)]) -> String {
    let width = rows.map { $0.left.count }.max() ?? 0
    return rows.map { left, right in
      "  \(left)\(String(repeating: " ", count: width - left.count + 2))\(right)"
    }.joined(separator: "\n")
  }
}
