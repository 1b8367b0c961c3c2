import ChatModel
import TerminalText

/// One page with the bubbles of a phone's screen, which needs nothing else:
/// no script, no font, no picture from elsewhere.
///
/// The page is well-formed XML as well. Its policy (Content Security Policy
/// Level 3) allows its own style and images within it, and nothing else, so
/// that even markup that slipped through would do nothing.
struct HTMLWriter: MessageWriter {
  /// Consecutive messages of one person, which share a name.
  private struct Run: Equatable {
    var profileID: String
    var name: String
    var room: String?
    var isOwn: Bool
    /// An action names its author by itself.
    var isAction: Bool
  }

  /// What an image of a page is told from others by.
  struct PageImageKey: Hashable {
    var room: String
    var path: String
    var sha256: String?
  }

  /// Where a message stands among those of one person.
  enum PlaceInRun {
    case first, laterMinute, sameMinute
  }

  /// So much later, a person's next message has the name again.
  private static let longestPause: Duration = .seconds(300)

  /// What the page depends on.
  let options: ExportOptions
  private var reader: MessageReader
  private var run: Run?
  private var lastTime: Timestamp?
  private var lastLabel = ""
  private var hasDay = false
  /// The images in the page by what they are, counted from 1 in their order.
  var embedded: [PageImageKey: Int] = [:]

  /// A writer of a page.
  init(_ options: ExportOptions) {
    self.options = options
    reader = MessageReader(options)
  }

  mutating func begin(to buffer: inout [UInt8]) {
    let title = html(options.title)
    let page = options.title == "Banter" ? title : "\(title) – Banter"
    buffer.write(
      """
      <!DOCTYPE html>
      <html lang="\(options.language.rawValue)">
      <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <meta name="generator" content="Banter" />
      <title>\(page)</title>
      <style>\(HTMLStyle.sheet)</style>
      </head>
      <body>
      <header><h1 dir="auto">\(title)</h1></header>
      <main>

      """)
  }

  mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8]) {
    if let day = reader.newDay(of: message) { begin(day, to: &buffer) }
    let readable = reader.read(message)
    let next = Run(
      profileID: message.entry.message.profileID, name: readable.name, room: readable.room,
      isOwn: readable.isOwn, isAction: readable.isAction && !readable.isDeleted)
    let isPause = lastTime.map { $0 + Self.longestPause < message.entry.time } ?? true
    let isFirst = next != run || isPause
    if isFirst {
      endRun(to: &buffer)
      begin(next, to: &buffer)
    }
    let place: PlaceInRun =
      isFirst ? .first : readable.label == lastLabel ? .sameMinute : .laterMinute
    append(readable, of: message, place, to: &buffer)
    (lastTime, lastLabel) = (message.entry.time, readable.label)
  }

  mutating func end(to buffer: inout [UInt8]) {
    if hasDay {
      endDay(to: &buffer)
    } else {
      buffer.write("<p class=\"none\">\(options.wording.noMessages)</p>\n")
    }
    buffer.write("</main>\n</body>\n</html>\n")
  }

  private static let policy =
    "default-src 'none'; style-src 'sha256-\(HTMLStyle.digest)'; img-src data:; "
    + "base-uri 'none'; form-action 'none'"

  private mutating func begin(_ day: LocalTime, to buffer: inout [UInt8]) {
    endDay(to: &buffer)
    hasDay = true
    let label = reader.timeLabel
    buffer.write(
      """
      <section class="day">
      <h2><time datetime="\(label.shortDayText(for: day))">\(label.dayText(for: day))</time></h2>

      """)
  }

  private mutating func endDay(to buffer: inout [UInt8]) {
    endRun(to: &buffer)
    if hasDay { buffer.write("</section>\n") }
  }

  private mutating func begin(_ run: Run, to buffer: inout [UInt8]) {
    self.run = run
    let color = HTMLStyle.colorClass(ofProfile: run.profileID)
    buffer.write("<div class=\"run \(run.isOwn ? "own" : "other \(color)")\">\n")
    if !run.isOwn, let initial = run.name.first {
      buffer.write("<div class=\"face\" aria-hidden=\"true\">\(html(String(initial)))</div>\n")
    }
  }

  private mutating func endRun(to buffer: inout [UInt8]) {
    if run != nil { buffer.write("</div>\n") }
    run = nil
  }
}
