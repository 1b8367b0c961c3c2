internal import ChatSession
internal import Glibc
internal import Hub
internal import TerminalText
internal import TransportSecurity

/// `banter user add|remove|list`: the accounts of what is served.
@MainActor
struct UserCommand {
  private let invocation: Invocation
  private let name: String?
  private let file: AccountFile

  /// The words are a name, where one is wanted, and what is served.
  init(_ invocation: Invocation, wantsName: Bool) throws {
    self.invocation = invocation
    var words = invocation.words[...]
    name = wantsName ? words.popFirst() : nil
    guard !wantsName || name != nil else {
      throw UsageError("name the user", "사용자 이름을 쓰세요")
    }
    file = AccountFile(of: try Serve.place(words.first, invocation))
    guard words.count <= 1 else {
      throw UsageError("\(words.last ?? "") is too much", "\(words.last ?? "")가 더 있습니다")
    }
  }

  func list() throws -> Int32 {
    for account in try file.read().accounts.values.sorted(by: { $0.name < $1.name }) {
      try Output.standard.write(Output.standard.inert(line(account, "  ")) + "\n")
    }
    return EX_OK
  }

  /// The name, the rooms and the right of an account.
  private func line(_ account: Account, _ separator: String) -> String {
    let rooms = account.rooms.map { $0.sorted().joined(separator: ", ") }
    let right = account.isReadOnly ? invocation.language("reads", "읽기") : ""
    return [account.name, rooms ?? invocation.language("all rooms", "모든 방"), right]
      .filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// Tells what was done, and how a hub that runs comes to know.
  private func tell(_ english: String, _ korean: String) {
    Banter.complain(
      invocation.language(
        "\(english); a hub that runs reads it on SIGHUP (kill -HUP)",
        "\(korean). 실행 중인 허브는 SIGHUP(kill -HUP)을 받으면 읽습니다"))
  }

  func add() throws -> Int32 {
    guard let name = name.flatMap(saslPrepared), !name.isEmpty,
      !name.contains(where: \.isWhitespace), name.utf8.count <= 64
    else {
      throw UsageError(
        "a name has 1 to 64 bytes, and no blanks", "이름은 1-64바이트이고 빈칸이 없습니다")
    }
    let rights = try AccountRights(invocation.options)
    do {
      let verifier = try ScramVerifier(password: try password(of: name))
      let accounts = try file.update(name) { rights.account(name, verifier, instead: $0) }
      let line = line(accounts.now, ", ")
      if accounts.before == nil {
        tell("\(file.path): added \(line)", "\(file.path): 추가함: \(line)")
      } else {
        tell(
          "\(file.path): changed the password of \(line)", "\(file.path): 비밀번호를 바꿈: \(line)")
      }
    } catch let error as ScramError {
      throw UsageError(error.reason, error.reason)
    }
    return EX_OK
  }

  func remove() throws -> Int32 {
    guard let name, try file.remove(saslPrepared(name) ?? name) else {
      throw ExitError(
        status: EX_NOINPUT,
        text: LocalizedText(
          "there is no account \(name ?? "") in \(file.path)",
          "\(file.path)에 \(name ?? "") 계정이 없습니다"))
    }
    tell("\(file.path): removed \(name)", "\(file.path): 제거함: \(name)")
    return EX_OK
  }

  /// Asked for twice at a terminal, without echo; else the first line of
  /// standard input. Never a word of the command line, which others can see.
  private func password(of name: String) throws -> String {
    let language = invocation.language
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    let first = try askSecret(language("password of \(name): ", "\(name)의 비밀번호: "))
    let second = try askSecret(language("once more: ", "한 번 더: "))
    guard first == second else {
      throw UsageError("the two are not the same", "두 비밀번호가 다릅니다")
    }
    return first
  }
}

/// Asks at the terminal without echo (getpass(3) cuts, termios(3) does not).
/// - Throws: when the user gives it up with Ctrl-C, which must not leave a
///   terminal behind that shows nothing.
@MainActor
private func askSecret(_ question: String) throws(ExitError) -> String {
  let interrupt: UInt8 = 3
  var state = termios()
  let hasTerminal = tcgetattr(STDIN_FILENO, &state) == 0
  var silent = state
  silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
  // Ends the line as Enter does.
  withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VEOL)] = interrupt }
  try? Output.error.write(question)
  if hasTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) }
  defer {
    if hasTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &state) }
    try? Output.error.write("\n")
  }
  var line: [UInt8] = []
  var byte: UInt8 = 0
  while read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
    guard byte != interrupt else {
      throw ExitError(status: 130, text: LocalizedText("given up", "그만두었습니다"))
    }
    line.append(byte)
  }
  return String(decoding: line, as: UTF8.self)
}
