import CReadline

extension LinePrompt {
  /// Tab: inserts what all candidates share; when that is nothing, the second
  /// Tab lists them (`show-all-if-ambiguous`: the first).
  func complete() {
    let reply = validReply()
    guard !reply.candidates.isEmpty else {
      rl_ding()
      return
    }
    let isOnly = reply.candidates.count == 1
    let text = isOnly ? reply.candidates[0].insert : reply.commonPrefix
    let typed = Array(Readline.lineBytes[reply.range])
    let isProgress = isOnly || (text.utf8.count > 0 && isLonger(text, than: typed))
    if isProgress, !text.utf8.elementsEqual(typed) {
      Readline.replace(reply.range, with: text)
    } else if !isOnly {
      let lists = isRepeatedCompletion || Readline.variable("show-all-if-ambiguous") == "on"
      if lists { list(reply) } else { rl_ding() }
    }
  }

  /// Lists the candidates at once.
  func listCompletions() {
    let reply = validReply()
    if reply.candidates.isEmpty { rl_ding() } else { list(reply) }
  }

  /// A common prefix takes the typed text's place only if nothing is lost: it
  /// goes on from it, or the typed text was another spelling of it.
  private func isLonger(_ text: String, than typed: [UInt8]) -> Bool {
    text.utf8.count > typed.count || text.count > String(decoding: typed, as: UTF8.self).count
  }

  func validReply() -> CompletionReply {
    var reply = completer(CompletionRequest(line: Readline.line, cursor: Int(rl_point)))
    let end = Int(rl_end)
    let range = reply.range.clamped(to: 0..<end)
    reply.range = reply.range.lowerBound > end ? end..<end : range
    return reply
  }

  func list(_ reply: CompletionReply) {
    let listing = CompletionListing(
      columns: columns, rowLimit: max(2, min(rows / 2, 12)), measure: configuration.measure,
      words: configuration.words)
    show(listing.rows(reply.candidates.map(\.label)))
  }
}
