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
    guard let log = current.log else {
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
    let room = current
    run { [self] in
      do throws(LogError) {
        let page = try await log.store.search(query, limit: Self.foundLimit)
        show(rows(found: page, query), messages: 0)
      } catch {
        returnLine("/search \(arguments)", language(error.text), to: room)
      }
    }
  }

  private func rows(found page: SearchPage, _ query: SearchQuery) -> [String] {
    guard !page.messages.isEmpty else { return noteRows(language(query.nothingFound)) }
    var printer = FoundPrinter(options(of: current), words: query.words, isTerminal: true)
    var newest: Int?
    let rows = page.messages.flatMap { message in
      let number = numbers.number(of: message.entry.id, in: roomNumber(of: message.room))
      newest = newest ?? number
      found[number] = message
      return printer.rows(message, number: number)
    }
    let example = newest ?? 0
    let end =
      page.next == nil
      ? language(
        "/history \(example) reads on around message \(example)",
        "/history \(example) 명령으로 \(example)번 앞뒤를 봅니다")
      : language(
        "there is more: add words, from:NAME, before:DAY; /history \(example) reads on around message \(example)",
        "더 있습니다. 낱말, from:이름, before:날짜를 더하세요. /history \(example) 명령으로 \(example)번 앞뒤를 봅니다"
      )
    return rows + noteRows(end)
  }

  /// Reads back around a message that was found, in the room where it was said.
  func readBack(around message: LoggedMessage) {
    guard let log = current.log else { return }
    let room = rooms.first { $0.logged.address == message.room.address }
    run { [self] in
      do throws(LogError) {
        let place = await log.store.place(of: message)
        let range = LogRange(room: message.room)
        let before = try await log.store.messages(in: range, before: place, limit: Self.context)
        let after = try await log.store.messages(in: range, after: place, limit: Self.context)
        var transcript = Transcript(options: options(of: room ?? current))
        var rows: [String] = []
        for message in before + [message] + after {
          var shown = ShownMessage(entry: message.entry, senderName: message.name)
          shown.repliedTo = try await log.store.message(answeredBy: message, language: language)
          shown.number = numbers.known(message.entry.id, in: roomNumber(of: message.room))
          shown.room = room === current ? nil : message.room.name
          rows += transcript.lines(for: shown)
        }
        await page(rows, atEnd: false)
      } catch {
        say(language(error.text))
      }
    }
  }
}

extension SearchQuery {
  /// What is said when nothing was found; it tells of what was meant as a
  /// filter and was taken for a word.
  package var nothingFound: LocalizedText {
    guard !misread.isEmpty else { return LocalizedText("nothing was found", "찾은 것이 없습니다") }
    let words = misread.joined(separator: " ")
    return LocalizedText(
      "nothing was found; looked for as a word: \(words) (filters are from:NAME, in:ROOM, after:2026-11-30, before:2026-11-30, has:image)",
      "찾은 것이 없습니다. 낱말로 찾았습니다: \(words) (from:이름, in:방, after:2026-11-30, before:2026-11-30, has:image로 좁힙니다)"
    )
  }
}
