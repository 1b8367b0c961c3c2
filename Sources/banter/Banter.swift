internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// The command line: sorts the words, runs the subcommand, tells what failed.
@main
struct Banter {
  static let version = "0.1.0"

  static func main() async {
    // A reader that goes away is told by EPIPE, which says where it happened.
    signal(SIGPIPE, SIG_IGN)
    // As does a file that must not grow any more (setrlimit(2)).
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardDescriptors()
    if let status = answerForSSH() { exit(status) }
    exit(await run(CommandLine.arguments))
  }

  /// Hands a question of ssh over to the Banter that has started it.
  /// - Returns: the exit status; nil when this is no such call.
  private static func answerForSSH() -> Int32? {
    let environment = Invocation.environment
    guard let socket = environment[AskPassCall.variable], CommandLine.arguments.count == 2 else {
      return nil
    }
    return AskPassCall.run(
      socket: socket, question: CommandLine.arguments[1],
      hint: environment["SSH_ASKPASS_PROMPT"] ?? "")
  }

  /// A word that is not UTF-8 would name something else once it was repaired.
  private static func checkEncoding() throws(UsageError) {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else {
        continue
      }
      throw UsageError(
        "word \(index) is not UTF-8: \(String(cString: word))",
        "\(index)번째 말이 UTF-8이 아닙니다: \(String(cString: word))")
    }
  }

  /// What was closed by whoever started the program stays without input and
  /// output, but its number is not given to a room or the log.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
  }

  @MainActor
  private static func run(_ arguments: [String]) async -> Int32 {
    var language = Language { Invocation.environment[$0] }
    do {
      try checkEncoding()
      let options = try Options(arguments)
      if options.showsVersion { return try show("banter \(version)") }
      if options.showsHelp, let help = Subcommand.help(ofGroup: options.words, language) {
        return try show(help)
      }
      let (command, words) = try subcommand(options)
      if options.showsHelp {
        return try show(command?.help(language) ?? Subcommand.overview(language))
      }
      try (command ?? .openRoom).check(options)
      let invocation = try Invocation(options, words)
      language = invocation.language
      return try await run(command ?? .openRoom, invocation)
    } catch let failure as OutputFailure where failure.isEndOfReader {
      return EX_OK
    } catch {
      complain(text(of: error, language))
      return exitStatus(of: error)
    }
  }

  /// Runs a subcommand, and tells what it found out about the log.
  @MainActor
  private static func run(
    _ command: Subcommand, _ invocation: Invocation
  ) async throws -> Int32 {
    let outcome: Result<Int32, any Error>
    do {
      outcome = .success(try await command.run(invocation))
    } catch {
      outcome = .failure(error)
    }
    for notice in await invocation.log.takeNotices() {
      complain(invocation.language(notice.text))
    }
    return try outcome.get()
  }

  /// The subcommand that is named before any `--`, and the words after it.
  private static func subcommand(_ options: Options) throws(UsageError) -> (Subcommand?, [String]) {
    guard options.wordsBeforeDashes > 0, let first = options.words.first else {
      return (nil, options.words)
    }
    let commands = Subcommand.all.dropFirst()
    for count in [2, 1] where options.wordsBeforeDashes >= count {
      let name = options.words.prefix(count).joined(separator: " ")
      if let command = commands.first(where: { $0.name == name }) {
        return (command, Array(options.words.dropFirst(count)))
      }
    }
    let group = commands.filter { $0.name.hasPrefix(first + " ") }
    guard !group.isEmpty else { return (nil, options.words) }
    let names = group.map { String($0.name.dropFirst(first.count + 1)) }.joined(separator: ", ")
    throw UsageError(
      "banter \(first) wants one of \(names)", "banter \(first) 뒤에는 다음 중 하나: \(names)")
  }

  private static func show(_ text: String) throws(OutputFailure) -> Int32 {
    try Output.standard.write(text + "\n")
    return EX_OK
  }

  /// One line on standard error: `banter: what: why`.
  static func complain(_ what: String) {
    try? Output.error.write("banter: \(Output.error.inert(what))\n")
  }
}
