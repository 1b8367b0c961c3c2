internal import ChatModel
internal import Processes
internal import TerminalText

/// Telling the user, who may be elsewhere, that a message is for them.
extension Session {
  /// Starts the command of the setting `notify` for a message that the bell
  /// rings for. Its words are handed over as they are, never to a shell; while
  /// one runs, no second one is started.
  func notify(of message: Message, in room: JoinedRoom) {
    guard !settings.notify.isEmpty, !isNotifying else { return }
    let values = [
      "{room}": room.name, "{name}": room.profiles.name(of: message.profileID),
      "{text}": message.content ?? "",
    ].mapValues { String(neutralized($0).prefix(500)) }
    let arguments = settings.notify.map { word in values[word] ?? word }
    isNotifying = true
    run { [self] in
      defer { isNotifying = false }
      do throws(ChildProcessError) {
        let child = try ChildProcess(
          arguments, environment: parts.environment, input: .null, output: .null, error: .null)
        _ = await child.waitUntilExit()
      } catch {
        say(
          language(
            "notify: \(error); it is not tried again", "notify: \(error.program) 실행할 수 없음. 다시 하지 않음"
          ))
        settings.notify = []
      }
    }
  }
}
