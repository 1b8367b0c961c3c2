internal import Glibc
internal import IRC
internal import TerminalText

/// A plugin of Banter's for IRC: the line protocol on standard input and
/// output, IRC to a server.
@main
struct BanterIRC {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    switch CommandLine.arguments.dropFirst().first {
    case "--parse": exit(runLines { try LineMode.parse($0, into: &$1) })
    case "--join": exit(runLines { try LineMode.join($0, into: &$1) })
    case "--version": print("banter-irc \(IRCSession.version)")
    case "--help": print(help)
    case nil where isatty(STDIN_FILENO) == 0: await serve()
    default:
      complain(help)
      exit(64)
    }
  }

  private static func serve() async {
    let plugin = Plugin(language: language, home: variable("HOME"))
    await plugin.serve(reading: dup(STDIN_FILENO), writing: dup(STDOUT_FILENO))
  }

  private static var language: Language { Language(locale: variable) }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static let help = """
    banter-irc is started by banter, for addresses such as irc://nick@host/#channel.

      banter-irc --parse    reads {"line":"..."} a line, writes the parts of each
      banter-irc --join     reads such parts, writes {"line":"..."}
      banter-irc --version
    """

  /// Hands each line of standard input to `body`, and writes what it appends.
  /// - Returns: the exit status.
  private static func runLines(
    _ body: (UnsafeRawBufferPointer, inout [UInt8]) throws -> Void
  ) -> Int32 {
    var status: Int32 = 0
    while var line = readLine() {
      var output: [UInt8] = []
      do {
        try line.withUTF8 { try body(UnsafeRawBufferPointer($0), &output) }
      } catch {
        complain("banter-irc: \(error)")
        status = 65
      }
      guard write(output, to: STDOUT_FILENO) else { return 74 }
    }
    return status
  }

  private static func complain(_ text: String) {
    _ = write(Array("\(text)\n".utf8), to: STDERR_FILENO)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
