internal import ChatModel
internal import TerminalText

/// What is known about somebody, in words.
extension Wording {
  /// In the order in which it is told.
  static let profileFields: [(name: String, english: String, korean: String)] = [
    ("host", "host", "호스트"), ("realName", "real name", "실명"), ("account", "account", "계정"),
    ("channels", "channels", "채널"), ("server", "server", "서버"), ("idle", "idle", "쉬는 시간"),
    ("signedOn", "signed on", "접속한 때"), ("away", "away", "자리 비움"),
    ("operator", "operator", "운영자"), ("secure", "secure", "보안"), ("bot", "bot", "봇"),
    ("from", "from", "출처"), ("certificate", "certificate", "인증서"),
    ("registered", "registered", "등록"),
  ]

  /// In the zone of whoever reads it.
  func localTime(_ time: Timestamp) -> String {
    var clock = LocalClock(zone: .system)
    let local = clock.localTime(at: time)
    let label = TimeLabel(language: language, clock: .automatic)
    return "\(label.shortDayText(for: local)) \(label.text(for: local))"
  }
}
