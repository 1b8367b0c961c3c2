/// One subcommand: how it is called, what it is for, and what it does.
struct Subcommand: Sendable {
  var name: String
  var usage: String
  var summary: String
  /// What `--help` adds, with its own line breaks.
  var details: String
  /// - Returns: the exit status (sysexits.h).
  var run: @MainActor @Sendable (Invocation) async throws -> Int32

  /// The first one is what is meant when no other is named.
  static let all = [openRoom, send, tail, log]

  static let openRoom = Subcommand(
    name: "", usage: "banter [ROOM]", summary: "open a room at the prompt (default: lobby)",
    details: """
      ROOM is a bare name (lobby is rooms/lobby.jsonl in the data folder), a path
      with a / or ending in .jsonl, or file:///absolute/path.jsonl.

      When standard input is no terminal, each of its lines is sent as it is.
      """, run: { try await OpenRoom($0).run() })

  static let send = Subcommand(
    name: "send", usage: "banter send ROOM [TEXT...]",
    summary: "send one message, or each line of standard input",
    details: """
      Returns when the room has the message durably. Empty lines are passed over.
      """,
    run: {
      var command = try Send($0)
      return try await command.run()
    })

  static let tail = Subcommand(
    name: "tail", usage: "banter tail ROOM [-n N] [-f]",
    summary: "print a room's messages; -f goes on",
    details: """
        -n, --lines N   how many messages (default 50)
        -f, --follow    go on with what arrives, until interrupted
        --json          one event a line, as in the room file
      """,
    run: {
      var command = try Tail($0)
      return try await command.run()
    })

  static let log = Subcommand(
    name: "log", usage: "banter log check FILE",
    summary: "check a room file, line by line",
    details: """
      Tells each line that is no event, by its number; exit status 65 when there
      is one.
      """, run: { try LogCheck($0).run() })

  /// The options that more than one subcommand takes.
  static let options = """
      --as NAME            who you are for this run
      --profile-id ID      your id for this run (default: the name of --as)
      --style STYLE        bubble, compact or plain
      --color WHEN         auto, always or never
      --tail N             messages shown when a room is opened (default 50)
      --no-log             keep no session log
      -h, --help           help, also of a subcommand
      -V, --version        the version
      --                   what follows is no option and no subcommand
    """

  /// The whole help.
  static var overview: String {
    let width = all.map { $0.usage.count }.max() ?? 0
    let lines = all.map { command in
      let padding = String(repeating: " ", count: width - command.usage.count + 3)
      return "  \(command.usage)\(padding)\(command.summary)"
    }
    return """
      Banter: a line-oriented chat for the terminal.

      \(lines.joined(separator: "\n"))

      Options, before or after the room:
      \(options)

      Exit statuses are those of sysexits.h: 0 done, 64 usage, 65 bad data,
      66 no such input, 73 cannot create, 74 input or output, 75 not sent yet,
      77 refused, 130 interrupted. Settings: banter's config.json; see banter(1).
      """
  }

  var help: String {
    """
    \(usage)
      \(summary)

    \(details)

    Options:
    \(Self.options)
    """
  }
}
