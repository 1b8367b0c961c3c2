internal import Glibc
internal import NATS
internal import TerminalText

/// `banter-nats init`: makes what rooms need in a cluster.
struct Initialization {
  let language: Language

  struct Failure: Error {
    /// What happened, why, and what to do.
    var reason: String
    /// The exit status (sysexits.h).
    var status: Int32
  }

  private struct Options {
    var setup = ClusterSetup()
    var login = ClusterLogin()
    var address: ClusterAddress?
    var wantsHelp = false
  }

  /// - Parameter words: what stands behind `init`.
  func run(_ words: [String]) async throws(Failure) {
    var options = try options(words)
    if options.wantsHelp { return print(Self.help(language)) }
    guard let address = options.address else {
      throw usage("init wants an address", "init에 주소를 쓰세요")
    }
    if let user = address.user {
      options.login.proof = .password(user: user, password(of: user))
    }
    try await make(options.setup, address, options.login)
    printRights(in: address.room.isEmpty ? nil : address.room)
  }

  private func options(_ words: [String]) throws(Failure) -> Options {
    var options = Options()
    var rest = words[...]
    func value(of option: String) throws(Failure) -> String {
      guard let value = rest.popFirst() else {
        throw usage("\(option) wants a value", "\(option)에 값을 쓰세요")
      }
      return value
    }
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": options.wantsHelp = true
      case "--replicas": options.setup.replicaCount = try number(value(of: word), word)
      case "--keep": options.setup.messagesPerRoom = try number(value(of: word), word)
      case "--credentials": options.login.proof = .credentials(path: try value(of: word))
      case "--issuers": options.login.issuers = try value(of: word)
      case _ where word.hasPrefix("-"):
        throw usage("init has no option \(word)", "init에 \(word) 옵션은 없습니다")
      default:
        guard let address = ClusterAddress(word) else {
          throw usage(
            "\(word) is no address; nats://host1,host2 is one",
            "\(word)은(는) 주소가 아닙니다. nats://host1,host2처럼 쓰세요")
        }
        guard options.address == nil else {
          throw usage("init wants one address", "init에 주소를 하나만 쓰세요")
        }
        options.address = address
      }
    }
    return options
  }

  private func number(_ text: String, _ option: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0 else {
      throw usage("\(option) wants a number above 0", "\(option)에 0보다 큰 수를 쓰세요")
    }
    return number
  }

  private func usage(_ english: String, _ korean: String) -> Failure {
    Failure(
      reason: language.choose(
        "\(english); see banter-nats init --help", "\(korean). banter-nats init --help를 보세요"),
      status: EX_USAGE)
  }

  private func make(
    _ setup: ClusterSetup, _ address: ClusterAddress, _ login: ClusterLogin
  ) async throws(Failure) {
    do throws(SetupError) {
      try await setup.run(at: address, as: login) { name, outcome in
        let text =
          switch outcome {
          case .made: language.choose("made", "만들었습니다")
          case .kept:
            language.choose(
              "was there, and has these settings now", "이미 있어서 설정만 바꿨습니다")
          }
        print("\(name): \(text)")
      }
    } catch {
      let advice = advice(error, setup, address)
      throw Failure(
        reason: language.choose(
          "not all was made: \(error.reason)\(advice.map { "; \($0)" } ?? "")",
          "다 만들지 못했습니다: \(error.reason)\(advice.map { ". \($0)" } ?? "")"),
        status: EX_UNAVAILABLE)
    }
  }

  private func advice(
    _ error: SetupError, _ setup: ClusterSetup, _ address: ClusterAddress
  ) -> String? {
    if error.lacksIssuer {
      return address.isSecure
        ? language.choose(
          "--issuers FILE names whom to trust", "--issuers 파일로 믿을 인증서를 알려 주세요")
        : language.choose("write nats+tls://", "nats+tls://로 쓰세요")
    }
    guard setup.replicaCount > 1, error.isForWantOfServers else { return nil }
    return language.choose(
      "on a single server, --replicas 1", "서버가 하나라면 --replicas 1을 쓰세요")
  }

  private func printRights(in room: String?) {
    print(
      language.choose(
        "An account that talks in \(room.map { "\"\($0)\"" } ?? "all rooms") needs these rights, USER being its name:",
        "\(room.map { "\"\($0)\" 방" } ?? "모든 방")에서 대화하는 계정에 필요한 권한(USER는 계정 이름):"
      ))
    print(ClusterSetup.rights(forRoom: room, user: "USER"))
  }

  /// Asked for without showing it; where there is no terminal, the first line
  /// of standard input.
  private func password(of user: String) -> String {
    let question = language.choose("Password of \(user): ", "\(user)의 비밀번호: ")
    if isatty(STDIN_FILENO) != 0, let typed = getpass(question) {
      return String(cString: typed)
    }
    return readLine() ?? ""
  }

  static func help(_ language: Language) -> String {
    language.choose(
      """
      banter-nats is started by banter, for addresses such as nats://host1,host2,host3/room.

        banter-nats init [OPTIONS] ADDRESS   makes what rooms need in a cluster; may be run
                                             again; prints the rights that an account needs
                                             in the room of the address, or in all rooms
          --replicas N        on how many servers each message is kept, 3 otherwise
          --keep N            keeps no more than the last N of each room, one or
                              several messages that were sent at once each
          --credentials FILE  who you are, as nsc makes it
          --issuers FILE      certificates to trust, for nats+tls://
        banter-nats --help
        banter-nats --version
      """,
      """
      banter-nats는 nats://host1,host2,host3/room 같은 주소에 대해 banter가 실행합니다.

        banter-nats init [옵션] 주소   클러스터에 대화방을 준비합니다. 다시 실행해도 됩니다.
                                       주소의 방(없으면 모든 방)에 필요한 권한을 출력합니다.
          --replicas N        메시지를 저장할 서버 수(기본 3)
          --keep N            방마다 마지막 N개만 저장합니다(한꺼번에 보낸 것은 1개로 셉니다)
          --credentials 파일  nsc가 만든 인증 파일
          --issuers 파일      nats+tls://에서 믿을 인증서
        banter-nats --help
        banter-nats --version
      """)
  }
}
