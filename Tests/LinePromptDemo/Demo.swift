import Dispatch
import Glibc
import LinePrompt
import TerminalText

/// A chat with nobody: what the tests of `LinePrompt` drive.
@MainActor
final class Demo {
  private let prompt: LinePrompt
  private var fifoSource: (any DispatchSourceRead)?
  private var partial: [UInt8] = []
  private var asking: Task<Void, Never>?

  /// Lines come from `fifo`; `DEMO_PLAIN`, `DEMO_HISTORY` and `DEMO_PROMPT` in
  /// the environment set the prompt up; with `DEMO_CONTINUED` it tells when it
  /// was continued.
  init(fifo: String?) {
    var configuration = LinePrompt.Configuration(measure: TextMeasure())
    configuration.isPlain = getenv("DEMO_PLAIN") != nil
    configuration.historyPath = Self.environment("DEMO_HISTORY")
    prompt = LinePrompt(configuration)
    prompt.prompt = Self.environment("DEMO_PROMPT") ?? "room> "
    if let fifo { listen(fifo) }
  }

  /// Takes the terminal.
  func run() {
    prompt.events.onLine = { [weak self] in self?.entered($0) }
    prompt.events.onEndOfInput = { [weak self] in self?.quit("BYE") }
    prompt.events.onInterruptOnEmptyLine = { [prompt] in prompt.show(["INTERRUPT"]) }
    prompt.events.onEditorRequested = { [weak self] in self?.edit() }
    prompt.events.onNextRoom = { [prompt] in prompt.show(["NEXT"]) }
    prompt.events.onHideRequested = { [prompt] in prompt.hideLine() }
    prompt.events.onResize = { [prompt] in prompt.show(["SIZE \($0)x\($1)"]) }
    prompt.events.onReply = { [prompt] in prompt.show(["REPLY \($0.count)"]) }
    prompt.events.onPaste = { [prompt] paste in
      if paste.isCut { prompt.show(["CUT after \(paste.lineCount)"]) }
    }
    if getenv("DEMO_CONTINUED") != nil {
      prompt.events.onContinue = { [prompt] in prompt.show(["CONTINUED"]) }
    }
    prompt.completer = Self.complete
    prompt.start()
    for conflict in prompt.keyConflicts { prompt.show(["CONFLICT \(conflict)"]) }
  }

  private func entered(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1)
    switch words.first {
    case "/prompt": prompt.prompt = words.count > 1 ? String(words[1]) + " " : ""
    case "/hide": prompt.hideLine()
    case "/quit": quit("QUIT")
    case "/exit": exit(3)
    case "/lend": lend()
    case "/query": query(words.count > 1 ? words[1] : "")
    case "/flood": flood(words.count > 1 ? Int(words[1]) ?? 0 : 0)
    case "/quit-lent":
      prompt.release()
      quit("QUIT")
    case "/bad": prompt.replaceLine(line)
    default: prompt.show(["GOT[\(Self.visible(line))]"])
    }
    if !line.isEmpty { prompt.addHistory(line) }
  }

  /// Edits the line; with `DEMO_EDITOR` as an editor does, that takes a while.
  private func edit() {
    let line = prompt.line + "+edited"
    guard getenv("DEMO_EDITOR") != nil else { return prompt.replaceLine(line) }
    Task {
      prompt.release()
      try? await Task.sleep(for: .milliseconds(200))
      prompt.reclaim()
      prompt.replaceLine(line)
    }
  }

  /// Lends the terminal for as long as a line comes.
  private func lend() {
    prompt.release()
    print("LENT")
    fflush(nil)
    DispatchQueue.global().async { [weak self] in
      let answer = readLine() ?? "nothing"
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          self?.prompt.reclaim()
          self?.prompt.show(["BACK[\(answer)]"])
        }
      }
    }
  }

  /// Asks the terminal nothing, expects an answer all the same, and goes on at
  /// once as `next` says.
  private func query(_ next: Substring) {
    prompt.show(["ASKED"])
    _ = prompt.query("")
    switch next {
    case "lend": lend()
    case "quit": quit("QUIT")
    default: kill(getpid(), SIGTSTP)
    }
  }

  /// Shows `count` rows as fast as it can, each in a turn of its own.
  private func flood(_ count: Int) {
    Task {
      for number in 1...max(1, count) {
        prompt.show(["flood \(number)"])
        await Task.yield()
      }
    }
  }

  private func quit(_ word: String) {
    prompt.stop()
    print(word)
    exit(0)
  }

  /// Asks, and tells what was answered; `@withdraw` takes the question back.
  private func ask(_ row: String) {
    let isSecret = row.hasPrefix("@secret ")
    let words = row.drop { $0 != " " }.dropFirst()
    asking = Task {
      let answer = await prompt.ask(words + " ", isSecret: isSecret)
      prompt.show(["ANSWER[\(answer ?? "none")]"])
    }
  }

  private static func visible(_ line: String) -> String {
    line.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\u{00}"..."\u{1F}": "\\x\(scalar.value)"
      default: String(scalar)
      }
    }.joined()
  }

  private static func complete(_ request: CompletionRequest) -> CompletionReply {
    let start =
      request.line.utf8.prefix(request.cursor).lastIndex(of: 0x20)
      .map { request.line.utf8.distance(from: request.line.utf8.startIndex, to: $0) + 1 } ?? 0
    let word = String(decoding: Array(request.line.utf8)[start..<request.cursor], as: UTF8.self)
    let words = ["/profile ", "/images ", "/include ", "민수: "] + (1...60).map { "name\($0)" }
    let found = words.filter { $0.hasPrefix(word) }.map { Candidate(insert: $0) }
    return CompletionReply(range: start..<request.cursor, candidates: found)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private func listen(_ path: String) {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.arrive(descriptor) }
    }
    source.activate()
    fifoSource = source
  }

  private func arrive(_ descriptor: Int32) {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return }
    partial += chunk[..<count]
    guard let end = partial.lastIndex(of: 0x0A) else { return }
    let lines = partial[..<end].split(separator: 0x0A, omittingEmptySubsequences: false)
    partial.removeSubrange(...end)
    let rows = lines.map { String(decoding: $0, as: UTF8.self) }
    if rows.contains("@withdraw") { asking?.cancel() }
    if let row = rows.last(where: { $0.hasPrefix("@prompt ") }) {
      prompt.prompt = row.dropFirst(8) + " "
    }
    for row in rows where row.hasPrefix("@ask ") || row.hasPrefix("@secret ") { ask(row) }
    prompt.show(rows.filter { !$0.hasPrefix("@") })
  }
}
