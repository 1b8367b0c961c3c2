internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText

/// `banter log search`: messages of all rooms, newest first.
@MainActor
struct LogSearch {
  private let invocation: Invocation
  private let query: SearchQuery
  private let count: Int
  private let view: TerminalView

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    count = try invocation.count(otherwise: 50)
    view = TerminalView(invocation, output: .standard)
    let zone = view.transcript.zone
    query = SearchQuery(invocation.words.joined(separator: " ")) { zone.startOfDay($0) }
    guard !query.isEmpty else {
      throw UsageError("log search wants words to find", "찾을 낱말을 쓰세요")
    }
  }

  mutating func run() async throws -> Int32 {
    let page = try await invocation.log.search(query, limit: count)
    var printer = FoundPrinter(
      view.transcript, words: query.words, isTerminal: Output.standard.isTerminal)
    for message in page.messages {
      let rows = invocation.options.isJSON ? [printer.json(message)] : printer.rows(message)
      for row in rows { try Output.standard.write(row + "\n") }
    }
    if page.next != nil, Output.standard.isTerminal {
      Banter.complain(
        invocation.language(
          "there is more: -n \(count * 10) shows more of it",
          "더 있습니다. -n \(count * 10)으로 더 볼 수 있습니다"))
    }
    if page.messages.isEmpty, Output.error.isTerminal || !query.misread.isEmpty {
      Banter.complain(invocation.language(query.nothingFound))
    }
    return EX_OK
  }
}
