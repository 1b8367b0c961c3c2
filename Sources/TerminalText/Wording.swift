/// What a transcript says by itself, in the user's language.
struct Wording {
  /// The language that all of it is in.
  let language: Language

  private func say(_ english: String, _ korean: String) -> String {
    language == .korean ? korean : english
  }

  var late: String { say("late", "늦게 옴") }
  var edited: String { say("edited", "수정됨") }
  var truncated: String { say("cut short", "일부만 표시") }
  var pending: String { say("sending", "보내는 중") }
  var mention: String { say("mentions you", "나를 언급") }
  var noName: String { say("(no name)", "(이름 없음)") }
  var empty: String { say("(empty)", "(빈 메시지)") }
  var deleted: String { say("(deleted)", "(삭제된 메시지)") }
  var onlyImages: String { say("(image)", "(이미지)") }
  var onlyFiles: String { say("(file)", "(파일)") }
  var mixedScripts: String { say("mixed letters in the name", "이름에 섞인 글자") }

  func late(on day: String) -> String { "\(late), \(day)" }

  func failed(_ reason: String) -> String {
    let what = say("not sent", "보내지 못함")
    return reason.isEmpty ? what : "\(what): \(reason)"
  }

  /// - Parameter name: nil for one that has none.
  func image(_ number: Int, _ name: String?, size: String?) -> String {
    let facts = [name, size].compactMap(\.self).joined(separator: ", ")
    return "[\(say("image", "이미지")) \(number)\(facts.isEmpty ? "" : ": \(facts)")]"
  }

  func file(_ name: String, size: String?) -> String {
    let what = say("file", "파일")
    return size.map { "[\(what): \(name), \($0)]" } ?? "[\(what): \(name)]"
  }

  func inReply(to name: String, _ excerpt: String) -> String {
    say("in reply to \(name): \"\(excerpt)\"", "\(name) 님에게 답장: \"\(excerpt)\"")
  }

  /// What an update is about: the message's number, else its time.
  func subject(number: Int?, time: String) -> String {
    if let number { return say("message \(number)", "\(number)번") }
    return say("message of \(time)", "\(time) 메시지")
  }

  func edited(_ subject: String, by name: String, _ text: String) -> String {
    say("\(subject) edited by \(name): \(text)", "\(subject) \(name) 님이 수정함: \(text)")
  }

  func deleted(_ subject: String, by name: String) -> String {
    say("\(subject) deleted by \(name)", "\(subject) \(name) 님이 삭제함")
  }

  func reacted(_ subject: String, by name: String, _ reaction: String, removed: Bool) -> String {
    removed
      ? say(
        "\(subject): reaction taken back by \(name): \(reaction)",
        "\(subject) \(name) 님이 반응을 거둠: \(reaction)")
      : say(
        "\(subject): reaction by \(name): \(reaction)", "\(subject) \(name) 님의 반응: \(reaction)")
  }
}
