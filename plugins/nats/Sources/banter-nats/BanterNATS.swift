internal import Glibc
internal import NATS
internal import TerminalText

/// A plugin of Banter's for rooms in a cluster of NATS servers: the line
/// protocol on standard input and output, NATS to the cluster.
@main
struct BanterNATS {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "init": exit(await run(Array(arguments.dropFirst())))
    case "--version": print("banter-nats \(NATSSession.version)")
    case "--help", "-h": print(Initialization.help(language))
    case nil where isatty(STDIN_FILENO) == 0: await serve()
    default: exit(complain(Initialization.help(language), status: EX_USAGE))
    }
  }

  private static func serve() async {
    let session = NATSSession(language: language)
    await session.serve(reading: dup(STDIN_FILENO), writing: dup(STDOUT_FILENO))
  }

  private static var language: Language {
    Language { name in getenv(name).map { String(cString: $0) } }
  }

  private static func run(_ words: [String]) async -> Int32 {
    let initialization = Initialization(language: language)
    do throws(Initialization.Failure) {
      try await initialization.run(words)
      return EX_OK
    } catch {
      return complain("banter-nats: \(error.reason)", status: error.status)
    }
  }

  private static func complain(_ text: String, status: Int32) -> Int32 {
    let line = Array("\(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return status
  }
}
