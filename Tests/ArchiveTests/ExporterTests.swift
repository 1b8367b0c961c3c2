import ChatModel
import Testing

@testable import Archive

struct ExporterTests {
  @Test(arguments: ExportFormat.allCases)
  func `what is kept between messages does not grow with them`(format: ExportFormat) {
    var exporter = Exporter(format, options: Sample.options(rooms: ["lobby", "team"]))
    var buffer: [UInt8] = []
    exporter.begin(to: &buffer)
    var sizes: [Int] = []
    for count in 1...20_000 {
      let message = Sample.message(
        "p\(count % 5_000)", "name \(count % 5_000)", "message \(count)", after: Int64(count) * 61)
      exporter.append(message, to: &buffer)
      buffer.removeAll(keepingCapacity: true)
      if count == 10 || count == 20_000 { sizes.append(described(exporter).utf8.count) }
    }
    #expect(buffer.capacity < 30_000)
    #expect(sizes[1] < sizes[0] + 100)
  }

  /// All that a value holds, in words.
  private func described(_ value: Exporter) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test(arguments: ExportFormat.allCases)
  func `the bytes are the same in one buffer as in many`(format: ExportFormat) {
    var exporter = Exporter(format, options: Sample.options())
    var (whole, part): ([UInt8], [UInt8]) = ([], [])
    exporter.begin(to: &whole)
    for message in Conversation.messages {
      exporter.append(message, to: &part)
      whole += part
      part = []
    }
    exporter.end(to: &whole)
    #expect(
      String(decoding: whole, as: UTF8.self) == Sample.export(format, Conversation.messages))
  }

  @Test(.timeLimit(.minutes(5)), arguments: ExportFormat.allCases)
  func `no text takes long for its length`(format: ExportFormat) {
    let pieces = [
      "http://", "http://a)", "https://a" + String(repeating: ")", count: 1_900) + " ", "*", "<",
      " ", "\n", " \n", "1.", "a\u{301}", "\u{301}", "\u{200D}", "\u{2067}", "[", "\\", "&",
    ]
    for piece in pieces {
      let text = String(repeating: piece, count: 60_000 / piece.utf8.count)
      _ = Sample.export(format, [Hostile.message(text, after: 0), Hostile.message(text, after: 1)])
    }
    let many = Sample.message("a", "A", nil) {
      $0.entry.message.images = (0..<10_000).map { "\($0)" }
      $0.entry.message.files = (0..<5_000).map { FileReference(path: "\(-$0)") }
    }
    _ = Sample.export(format, [many])
  }

  @Test(arguments: ExportFormat.allCases)
  func `dates far away are written`(format: ExportFormat) {
    let messages = [Int64.min / 4_000, -62_200_000_000_000, 0, 300_000_000_000_000].map { time in
      Sample.message("a", "A", "x") {
        $0.entry.time = Timestamp(milliseconds: time)
      }
    }
    #expect(!Sample.export(format, messages).isEmpty)
  }

  @Test(arguments: ExportFormat.allCases)
  func `an export without messages is one`(format: ExportFormat) {
    let expected: [ExportFormat: String] = [.text: "lobby\n", .markdown: "# lobby\n", .jsonl: ""]
    let text = Sample.export(format, [])
    if let expected = expected[format] { #expect(text == expected) }
  }
}
