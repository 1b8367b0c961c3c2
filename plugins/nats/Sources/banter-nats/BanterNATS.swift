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
    case "init": exit(await initialize(Array(arguments.dropFirst())))
    case "--version": print("banter-nats \(NATSSession.version)")
    case "--help": print(help)
    case nil where isatty(STDIN_FILENO) == 0: await serve()
    default: exit(complain(help, status: 64))
    }
  }

  private static func serve() async {
    let session = NATSSession(language: language)
    await session.serve(reading: dup(STDIN_FILENO), writing: dup(STDOUT_FILENO))
  }

  /// Makes what rooms need.
  /// - Returns: the exit status (sysexits.h).
  private static func initialize(_ arguments: [String]) async -> Int32 {
    var setup = ClusterSetup()
    var login = ClusterLogin()
    var address: ClusterAddress?
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--replicas", "--keep":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else {
          return complain("banter-nats: \(word) takes a number", status: 64)
        }
        if word == "--keep" {
          setup.messagesPerRoom = number
        } else {
          setup.replicaCount = number
        }
      case "--credentials":
        guard let path = rest.popFirst() else {
          return complain("banter-nats: --credentials takes a file", status: 64)
        }
        login.proof = .credentials(path: path)
      case "--issuers": login.issuers = rest.popFirst()
      default:
        guard let read = ClusterAddress(word), address == nil else {
          return complain(
            "banter-nats: \(word) is no address; nats://host1,host2 is one", status: 64)
        }
        address = read
      }
    }
    guard let address else { return complain(help, status: 64) }
    if let user = address.user { login.proof = .password(user: user, password(for: user)) }
    return await make(setup, address, login)
  }

  private static func make(
    _ setup: ClusterSetup, _ address: ClusterAddress, _ login: ClusterLogin
  ) async -> Int32 {
    do throws(SetupError) {
      try await setup.run(at: address, as: login) { name, outcome in
        print("\(name): \(outcome == .made ? "made" : "was there, and has these settings now")")
      }
    } catch {
      let advice = setup.replicaCount > 1 ? "; on a single server, --replicas 1" : ""
      return complain("banter-nats: nothing was made: \(error.reason)\(advice)", status: 69)
    }
    let room = address.room.isEmpty ? nil : address.room
    print("An account that talks in \(room.map { "\"\($0)\"" } ?? "all rooms") needs these rights:")
    print(ClusterSetup.rights(forRoom: room))
    return 0
  }

  /// Asked for without showing it; where there is no terminal, the first line
  /// of standard input.
  private static func password(for user: String) -> String {
    if isatty(STDIN_FILENO) != 0, let typed = getpass("Password of \(user): ") {
      return String(cString: typed)
    }
    return readLine() ?? ""
  }

  private static var language: Language {
    Language { name in getenv(name).map { String(cString: $0) } }
  }

  private static let help = """
    banter-nats is started by banter, for addresses such as nats://host1,host2,host3/room.

      banter-nats init [--replicas N] [--keep N] [--credentials FILE] [--issuers FILE] ADDRESS
                            makes what rooms need in a cluster; may be run again
      banter-nats --version
    """

  private static func complain(_ text: String, status: Int32) -> Int32 {
    let line = Array("\(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return status
  }
}
