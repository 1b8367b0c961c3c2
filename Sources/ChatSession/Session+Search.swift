internal import ChatModel
internal import SessionLog
internal import TerminalText

/// Finding what was said, in the log of all rooms.
extension Session {
  /// How many messages one search shows, and how many stand around one that is
  /// read back.
  private static let (foundLimit, context) = (20, 20)

  /// `/search words`: what is found, newest first, each with a number that
  /// `/history` takes.
  func search(_ arguments: String) throws(CommandError) {
    guard let log else {
      throw CommandError(language("no log is kept (--no-log)", "기록을 남기지 않습니다 (--no-log)"))
    }
    let zone = transcript.options.zone
    let query = SearchQuery(arguments) { zone.startOfDay($0) }
    guard !query.isEmpty else {
      throw CommandError(
        language(
          "say what to find: /search 점심 from:jane after:2026-11-01",
          "찾을 말을 쓰세요: /search 점심 from:jane after:2026-11-01"))
    }
    run { [self] in
      do throws(LogError) {
        let page = try await log.store.search(query, limit: Self.foundLimit)
        show(rows(found: page, query), messages: 0)
      } catch {
        returnLine("/search \(arguments)", language(error.text))
      }
    }
  }

  private func rows(found page: SearchPage, _ query: SearchQuery) -> [String] {
    guard !page.messages.isEmpty else {
      return noteRows(language("nothing was found", "찾은 것이 없습니다"))
    }
    var printer = FoundPrinter(transcript.options, words: query.words, isTerminal: true)
    let rows = page.messages.flatMap { message in
      let number = numbers.number(of: message.entry.id)
      found[number] = message
      return printer.rows(message, number: number)
    }
    let end =
      page.next == nil
      ? language("/history 12 reads on around message 12", "/history 12로 12번 앞뒤를 봅니다")
      : language(
        "there is more: add words, from:NAME, before:DAY; /history 12 reads on around message 12",
        "더 있습니다. 낱말, from:이름, before:날짜를 더하세요. /history 12로 12번 앞뒤를 봅니다")
    return rows + noteRows(end)
  }

  /// Reads back around a message that was found, in the room where it was said.
  func readBack(around message: LoggedMessage) {
    guard let log else { return }
    run { [self] in
      do throws(LogError) {
        let place = await log.store.place(of: message)
        let range = LogRange(room: message.room)
        let before = try await log.store.messages(in: range, before: place, limit: Self.context)
        let after = try await log.store.messages(in: range, after: place, limit: Self.context)
        var transcript = Transcript(options: self.transcript.options)
        let rows = (before + [message] + after).flatMap { message in
          var shown = ShownMessage(entry: message.entry, senderName: message.name)
          shown.number = numbers.known(message.entry.id)
          shown.room = message.room == log.room ? nil : message.room.name
          return transcript.lines(for: shown)
        }
        await page(rows, atEnd: false)
      } catch {
        say(language(error.text))
      }
    }
  }
}
