import TerminalText

/// What an export says by itself, in the user's language.
struct ExportWording {
  /// The language that all of it is in.
  let language: Language

  private func say(_ english: String, _ korean: String) -> String {
    language == .korean ? korean : english
  }

  var edited: String { say("edited", "수정됨") }
  var truncated: String { say("cut short", "일부만 표시") }
  var mixedScripts: String { say("mixed letters in the name", "이름에 섞인 글자") }
  var deleted: String { say("(deleted)", "(삭제된 메시지)") }
  var empty: String { say("(empty)", "(빈 메시지)") }
  var noName: String { say("(no name)", "(이름 없음)") }
  var image: String { say("image", "이미지") }
  /// Of an image that is in the page already.
  var above: String { say("as above", "위와 같음") }
  /// Why an image is not in the page.
  func leftOut(_ reason: String) -> String { say("left out: \(reason)", "빠짐: \(reason)") }
  var file: String { say("file", "파일") }
  var reply: String { say("In reply to", "답장:") }
  /// What an answer shows of a message that is not known.
  var unknownMessage: String { say("an earlier message", "이전 메시지") }
  var reactions: String { say("Reactions", "반응") }
  var noMessages: String { say("No messages.", "메시지가 없습니다.") }

  /// What stands after three names of rooms.
  func more(_ count: Int) -> String { say("and \(count) more", "외 \(count)개") }

  /// A reaction for the ear.
  func reaction(_ reaction: String, count: Int) -> String {
    count > 1 ? say("\(reaction), \(count) people", "\(reaction), \(count)명") : reaction
  }
}
