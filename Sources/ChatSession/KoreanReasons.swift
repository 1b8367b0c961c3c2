/// What is said of connections, in Korean.
///
/// A reason is made of clauses with semicolons between them: what is wrong, what
/// may be behind it, what to do. Each clause is a template, in which `{}` stands
/// for what differs.
enum KoreanReasons {
  /// The Korean of a reason, clause by clause; a clause that is not known stays
  /// as it is.
  /// - Returns: it, and whether every clause is known.
  static func translation(of reason: String) -> (text: String, isWhole: Bool) {
    var isWhole = true
    let clauses = reason.split(separator: "; ", omittingEmptySubsequences: false)
    let translated = clauses.map { clause -> String in
      if let korean = korean(of: clause) { return korean }
      isWhole = false
      return String(clause)
    }
    return (translated.joined(separator: "; "), isWhole)
  }

  private static func korean(of clause: Substring) -> String? {
    for (template, korean) in clauses {
      guard let values = values(in: clause, of: template) else { continue }
      return filled(korean, values)
    }
    return nil
  }

  /// What stands for each `{}`; nil where the clause is another one.
  private static func values(in clause: Substring, of template: String) -> [Substring]? {
    var parts = template.split(separator: "{}", omittingEmptySubsequences: false)[...]
    guard let first = parts.popFirst(), clause.hasPrefix(first) else { return nil }
    var rest = clause.dropFirst(first.count)
    var values: [Substring] = []
    while let part = parts.popFirst() {
      if parts.isEmpty {
        guard rest.hasSuffix(part) else { return nil }
        values.append(rest.dropLast(part.count))
        rest = ""
      } else {
        guard let range = rest.firstRange(of: part) else { return nil }
        values.append(rest[..<range.lowerBound])
        rest = rest[range.upperBound...]
      }
    }
    return rest.isEmpty ? values : nil
  }

  private static func filled(_ template: String, _ values: [Substring]) -> String {
    var parts = template.split(separator: "{}", omittingEmptySubsequences: false)[...]
    var text = String(parts.popFirst() ?? "")
    for (value, part) in zip(values, parts) { text += value + part }
    return text
  }

  private static let clauses = system + way + login + certificate + hub + ssh + check + files

  /// What is there, where a file should be.
  private static let files =
    [("name a file", "파일을 지정하세요")]
    + [
      ("a folder", "폴더"), ("a named pipe", "이름 있는 파이프"), ("a socket", "소켓"),
      ("a device", "장치"), ("a link", "링크"), ("no regular file", "일반 파일이 아닌 것"),
    ].flatMap { kind in
      [
        ("a room is a file", "방은 파일이어야 합니다"),
        ("only files can be attached", "파일만 보낼 수 있습니다"),
        ("only files are handed out", "파일만 받을 수 있습니다"),
      ].map { wanted in ("this is \(kind.0), and \(wanted.0)", "\(kind.1)입니다. \(wanted.1)") }
    }

  /// What strerror(3) and gai_strerror(3) say, and what to do about it.
  private static let system = [
    ("Connection refused", "연결이 거부되었습니다"),
    ("No such file or directory", "없습니다"),
    ("Network is unreachable", "네트워크에 연결되어 있지 않습니다"),
    ("No route to host", "그 호스트로 가는 길이 없습니다"),
    ("Connection timed out", "시간 안에 연결되지 않았습니다"),
    ("Connection reset by peer", "상대가 연결을 끊었습니다"),
    ("Broken pipe", "연결이 끊어졌습니다"),
    ("Permission denied", "권한이 없습니다"),
    ("Operation not permitted", "허락되지 않았습니다"),
    ("Name or service not known", "호스트 이름을 찾을 수 없습니다"),
    ("No address associated with hostname", "호스트 이름에 주소가 없습니다"),
    ("Temporary failure in name resolution", "지금은 호스트 이름을 찾을 수 없습니다"),
    ("check the host's name and the network", "호스트 이름과 네트워크를 확인하세요"),
    ("nobody serves there", "그곳에 허브가 없습니다"),
    (
      "check the address, or start banter serve",
      "주소를 확인하거나 banter serve를 시작하세요"
    ),
    ("its owner has to let you in", "소유자가 허락해야 합니다"),
    ("it is tried again", "다시 시도합니다"),
  ]

  private static let way = [
    ("the far side hung up", "상대가 연결을 끊었습니다"),
    ("the far side says good-bye", "상대가 인사하고 나갔습니다"),
    ("it said: {}", "마지막 말: {}"),
    ("it may have arrived", "이미 도착했을 수 있습니다"),
    ("the connection broke", "연결이 끊어졌습니다"),
    ("it was sent in an earlier run", "지난번에 보냈습니다"),
    ("look, then /retry or /discard at the prompt", "확인한 뒤 프롬프트에서 /retry나 /discard를 쓰세요"),
    (
      "it says that there is more of the past, and tells none of it",
      "지난 대화가 더 있다고 하면서 보내지 않습니다"
    ),
    ("no answer within {} s", "{}초 안에 답이 없습니다"),
    ("nothing was heard for {} s", "{}초 동안 아무 말이 없습니다"),
    ("it has not let anybody in for {} s", "{}초 동안 아무도 들이지 않습니다"),
    ("nobody can be reached", "연결할 수 없습니다"),
    ("nobody can be reached at the moment", "지금은 연결할 수 없습니다"),
    ("the room was closed", "방이 닫혔습니다"),
    ("it does not speak the protocol", "상대가 프로토콜을 모릅니다"),
    (
      "what is there does not speak Banter's protocol",
      "그곳에 있는 것은 Banter의 프로토콜을 모릅니다"
    ),
    ("check the address", "주소를 확인하세요"),
    ("it speaks version {} of the protocol", "상대의 프로토콜은 {}판입니다"),
    ("a newer Banter may know it", "새 Banter는 알 수도 있습니다"),
  ]

  private static let login = [
    ("the name or the password is wrong", "이름이나 비밀번호가 틀렸습니다"),
    ("check both", "둘 다 확인하세요"),
    ("it asks for a password, and there is none", "비밀번호가 필요한데 없습니다"),
    (
      "set passwordCommand, or write a line HOST:PORT USER PASSWORD into the passwords file",
      "passwordCommand를 정하거나, passwords 파일에 HOST:PORT USER PASSWORD 줄을 쓰세요"
    ),
    ("it asks for a login twice", "로그인을 두 번 요구합니다"),
    ("it asks for {}, and there is nobody to ask", "{}을(를) 묻는데 물어볼 사람이 없습니다"),
    ("it asks for {}, and was given no answer", "{}을(를) 물었는데 답이 없습니다"),
    (
      "it lets anybody in without a password, and you have one there, so it may be somebody else's",
      "비밀번호 없이 누구나 들이는데, 그곳의 비밀번호가 있습니다. 다른 사람의 것일 수 있습니다"
    ),
    (
      "if it is right, leave the name and @ out of the address, and its line out of the "
        + "passwords file",
      "맞다면 주소에서 이름과 @를, passwords 파일에서 그 줄을 빼세요"
    ),
    ("too many logins have failed", "로그인이 여러 번 실패했습니다"),
    ("call again", "다시 연결하세요"),
    (
      "too many logins from there have failed, or are under way",
      "그곳에서 실패했거나 진행 중인 로그인이 너무 많습니다"
    ),
    ("wait a minute", "1분 기다리세요"),
    ("the accounts were changed", "계정이 바뀌었습니다"),
    ("log in again", "다시 로그인하세요"),
    ("the account is gone", "계정이 없어졌습니다"),
    (
      "the server does not know your password: it may be another one",
      "서버가 비밀번호를 모릅니다. 다른 서버일 수 있습니다"
    ),
  ]

  private static let certificate = [
    (
      "ITS CERTIFICATE HAS CHANGED: it was {} and is {}",
      "인증서가 바뀌었습니다: 전에는 {}, 지금은 {}"
    ),
    ("somebody may stand between", "누군가 사이에 있을 수 있습니다"),
    (
      "if the change is right, remove its line from {}",
      "바뀐 것이 맞으면 {}에서 그 줄을 지우세요"
    ),
    (
      "{}: no authority vouches for its certificate",
      "{}: 인증 기관이 보증하지 않는 인증서입니다"
    ),
    ("trusted from now on: {}", "이제부터 믿습니다: {}"),
    ("the certificate has expired", "인증서의 기한이 지났습니다"),
    (
      "the certificate is not valid yet, or a clock is wrong",
      "인증서의 기한이 아직 아니거나, 시계가 틀립니다"
    ),
    ("the certificate is not one of {}", "{}의 인증서가 아닙니다"),
    ("the certificate has been revoked", "취소된 인증서입니다"),
    ("the other side does not speak TLS", "상대가 TLS를 쓰지 않습니다"),
    (
      "check the port, or whether TLS is wanted there",
      "포트를, 또는 그곳에서 TLS를 쓰는지 확인하세요"
    ),
    ("TLS is spoken here", "여기서는 TLS를 씁니다"),
    ("write tls:// before the address", "주소 앞에 tls://를 쓰세요"),
    ("the connection ended in the middle", "연결이 중간에 끊어졌습니다"),
    ("what was said last may be missing", "마지막 말이 빠졌을 수 있습니다"),
  ]

  /// What a hub says.
  private static let hub = [
    ("this account may not enter {} any more", "이 계정은 이제 {}에 들어갈 수 없습니다"),
    ("this account may not enter {}", "이 계정은 {}에 들어갈 수 없습니다"),
    ("this account is for reading only", "이 계정은 읽기만 할 수 있습니다"),
    ("this hub is for reading only", "이 허브는 읽기만 할 수 있습니다"),
    ("there is no room called {}", "{}라는 방이 없습니다"),
    ("this hub has one room, called {}", "이 허브에는 {} 방만 있습니다"),
    ("that message is somebody else's", "다른 사람의 메시지입니다"),
    ("there are too many connections", "연결이 너무 많습니다"),
    ("try again later", "나중에 다시 하세요"),
    ("no part of the file came for {} s", "{}초 동안 파일이 오지 않았습니다"),
    ("nothing was heard of the file for {} s", "{}초 동안 파일에 대한 답이 없었습니다"),
    ("it is larger than {}, which is the most", "최대 {}보다 큽니다"),
    ("send a smaller one", "더 작은 것을 보내세요"),
    ("it was given up", "그만두었습니다"),
    (
      "the system makes it up while it is read",
      "시스템이 읽을 때 만드는 파일입니다"
    ),
    ("copy it, and send the copy", "복사해서 그것을 보내세요"),
    (
      "this is not what was sent: its SHA-256 is another one",
      "보낸 파일이 아닙니다. SHA-256이 다릅니다"
    ),
    ("ask for it to be sent again", "다시 보내 달라고 하세요"),
    ("this file is not in the room's folder", "방 폴더에 없는 파일입니다"),
    ("a profile with an id is needed", "아이디가 필요합니다"),
    ("the system does not say who is calling", "누구인지 시스템이 알려 주지 않습니다"),
  ]

  private static let ssh = [
    (
      "banter is not installed there, or not in the PATH of a login without a terminal",
      "그곳에 banter가 없거나, 터미널이 없는 로그인의 PATH에 없습니다"
    ),
    ("the banter that is there cannot be run", "그곳의 banter를 실행할 수 없습니다"),
    ("the banter that is there is too old", "그곳의 banter가 너무 오래되었습니다"),
    ("bring it up to date", "새 판으로 바꾸세요"),
    ("there is no such room", "그런 방이 없습니다"),
    ("permission is missing there", "그곳에 권한이 없습니다"),
    ("ssh broke off", "ssh가 끊어졌습니다"),
    ("ssh was ended by signal {}", "ssh가 시그널 {}로 끝났습니다"),
    ("ssh ended with status {}", "ssh가 상태 {}로 끝났습니다"),
    ("its host key is not known", "호스트 키를 모릅니다"),
    (
      "open the room at the prompt and compare the key",
      "프롬프트에서 방을 열고 키를 비교하세요"
    ),
    (
      "its host key has changed: somebody may be listening in",
      "호스트 키가 바뀌었습니다. 누군가 엿듣고 있을 수 있습니다"
    ),
    (
      "ask its owner, and take the old key out with ssh-keygen -R",
      "주인에게 묻고, ssh-keygen -R로 옛 키를 지우세요"
    ),
  ]
}
