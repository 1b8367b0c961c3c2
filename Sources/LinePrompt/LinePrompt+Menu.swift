import CReadline

/// The candidates that a key goes through one by one.
struct CompletionMenu {
  /// What may stand in the line: the candidates, and last what was typed.
  let choices: [String]
  /// Where it stands, in UTF-8 bytes.
  var range: Range<Int>
  /// Which of the choices stands there.
  var index: Int

  /// The typed text stands in the line.
  init(_ reply: CompletionReply, typed: String) {
    choices = reply.candidates.map(\.insert) + [typed]
    range = reply.range
    index = choices.count - 1
  }

  /// Goes on by `count` choices; a negative count goes back.
  mutating func advance(by count: Int) {
    let rest = (index + count) % choices.count
    index = rest < 0 ? rest + choices.count : rest
  }
}

/// readline's further commands for completing (readline manual, "Letting
/// Readline Type For You"), with our completer.
extension LinePrompt {
  /// `menu-complete`: each key puts the next candidate into the line, and the
  /// bell tells that all have been there.
  func menuComplete(by count: Int) {
    if !isRepeatedMenu { menu = nil }
    if menu == nil {
      guard beginMenu() else { return }
    }
    guard var menu else { return }
    menu.advance(by: count)
    if menu.index == menu.choices.count - 1 { rl_ding() }
    let text = menu.choices[menu.index]
    Readline.replace(menu.range, with: text)
    menu.range = menu.range.lowerBound..<menu.range.lowerBound + text.utf8.count
    self.menu = menu
  }

  /// Whether there is a candidate to put in at once: inputrc may ask for their
  /// list, and for what they share, first.
  private func beginMenu() -> Bool {
    var reply = validReply()
    guard !reply.candidates.isEmpty else {
      rl_ding()
      return false
    }
    let isAmbiguous = reply.candidates.count > 1
    if isAmbiguous, Readline.variable("show-all-if-ambiguous") == "on" { list(reply) }
    var typed = String(decoding: Readline.lineBytes[reply.range], as: UTF8.self)
    let showsPrefix = isAmbiguous && Readline.variable("menu-complete-display-prefix") == "on"
    if showsPrefix, reply.commonPrefix.utf8.count > typed.utf8.count {
      typed = reply.commonPrefix
      Readline.replace(reply.range, with: typed)
      reply.range = reply.range.lowerBound..<reply.range.lowerBound + typed.utf8.count
    }
    menu = CompletionMenu(reply, typed: typed)
    return !showsPrefix
  }

  /// `insert-completions`: all candidates, with a blank after each.
  func insertCompletions() {
    let reply = validReply()
    guard !reply.candidates.isEmpty else {
      rl_ding()
      return
    }
    let words = reply.candidates.map { $0.insert.hasSuffix(" ") ? $0.insert : $0.insert + " " }
    Readline.replace(reply.range, with: words.joined())
  }

  /// `vi-complete`: `=` lists, `*` inserts all, `\` completes, each for the
  /// word on which the cursor stands.
  func completeForVi(key: Int32) {
    if rl_point < rl_end, !isBlank(at: Int(rl_point)) {
      if !isBlank(at: Int(rl_point) + 1) { rl_vi_end_word(1, Int32(UInt8(ascii: "E"))) }
      rl_point = Int32(Clusters(Readline.line).after(Int(rl_point)))
    }
    if key == Int32(UInt8(ascii: "=")) { return listCompletions() }
    if key == Int32(UInt8(ascii: "*")) { insertCompletions() } else { complete() }
    rl_vi_insertion_mode(1, key)
  }

  private func isBlank(at index: Int) -> Bool {
    let line = Readline.lineBytes
    return index < line.count && (line[index] == 0x20 || line[index] == 0x09)
  }
}
