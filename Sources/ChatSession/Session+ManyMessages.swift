internal import LinePrompt
internal import TerminalText
internal import Transport

/// Messages that a room takes apart, such as a channel of IRC, whose messages
/// are one line long.
extension Session {
  /// More at once are sent only when the user says so again.
  private static let limit = 5

  /// How many messages others will see of a text.
  private func messageCount(of text: String, in room: JoinedRoom) -> Int {
    let capabilities = room.transport.capabilities
    guard capabilities.excess == .split, !capabilities.multiline else { return 1 }
    let size = max(1, capabilities.maximumEventBytes)
    return text.split { $0.isNewline }.reduce(0) { count, row in
      count + (row.utf8.count + size - 1) / size
    }
  }

  /// Gives a line back that would be many messages, the first time that it is
  /// entered.
  func asksFirst(_ line: String, _ text: String, in room: JoinedRoom) -> Bool {
    let count = messageCount(of: text, in: room)
    guard count > Self.limit, room.confirmedLine != line else {
      room.confirmedLine = nil
      return false
    }
    room.confirmedLine = line
    returnLine(
      line,
      language(
        "these are \(count) messages to \(room.name): Enter again sends them, Ctrl-C gives them up",
        "\(room.name)에 메시지 \(count)개로 보내집니다. 다시 Enter로 보내고 Ctrl-C로 버립니다"))
    return true
  }

  /// What becomes of a paste of several lines.
  func pasteText(_ paste: LinePrompt.Paste) -> String {
    let (lines, count) = (paste.lineCount, messageCount(of: paste.text, in: current))
    guard count > 1 else {
      return language(
        "\(lines) lines pasted as one message; Enter sends it",
        "\(lines)줄을 한 메시지로 붙여 넣었습니다. Enter로 보냅니다")
    }
    return language(
      "\(lines) lines pasted, which are \(count) messages here; Enter sends them",
      "\(lines)줄을 붙여 넣었습니다. 여기서는 메시지 \(count)개입니다. Enter로 보냅니다")
  }

  /// What the history may know of a line: not what opens a room.
  func withoutKey(_ line: String) -> String {
    guard case .command("join", let argument) = InputLine(line) else { return line }
    let (room, key) = roomAndKey(argument)
    return key == nil ? line : "/join \(room)"
  }
}
