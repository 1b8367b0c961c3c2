internal import TerminalText

/// Further fields of a profile that are often told, in words.
enum ProfileField {
  private static let labels: [(name: String, text: LocalizedText)] = [
    ("about", LocalizedText("about", "소개")), ("realName", LocalizedText("real name", "실명")),
    ("account", LocalizedText("account", "계정")), ("host", LocalizedText("host", "호스트")),
    ("from", LocalizedText("connected from", "접속한 곳")),
    ("server", LocalizedText("server", "서버")), ("channels", LocalizedText("channels", "채널")),
    ("rank", LocalizedText("rank", "등급")), ("away", LocalizedText("away", "자리 비움")),
    ("idle", LocalizedText("idle for", "말이 없은 지")),
    ("signedOn", LocalizedText("signed on", "접속한 때")),
    ("operator", LocalizedText("operator", "운영자")), ("bot", LocalizedText("bot", "봇")),
    ("registered", LocalizedText("registered", "등록된 별명")),
    ("secure", LocalizedText("connection", "연결")),
    ("certificate", LocalizedText("certificate", "인증서")),
  ]

  /// A field that nobody knows is called as it is.
  static func label(_ name: String) -> LocalizedText {
    labels.first { $0.name == name }?.text ?? LocalizedText(name, name)
  }

  /// Those that are known first, then the others by name.
  static func inOrder(_ fields: [String: String]) -> [(String, String)] {
    func place(_ name: String) -> Int {
      labels.firstIndex { $0.name == name } ?? labels.count
    }
    return fields.sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }
      .map { ($0.key, $0.value) }
  }
}
