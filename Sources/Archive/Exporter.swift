/// Writes messages in one format, one after the other.
///
/// Call ``begin(to:)`` once, then ``append(_:to:)`` for each message in the
/// order of their times, then ``end(to:)``. Each appends to a buffer, which its
/// owner empties when it likes. What is kept from one message to the next does
/// not grow, however many there are, but for the names of the images in a page.
package struct Exporter {
  private var writer: any MessageWriter

  /// An exporter that has written nothing yet.
  package init(_ format: ExportFormat, options: ExportOptions) {
    writer =
      switch format {
      case .text: TextWriter(options)
      case .markdown: MarkdownWriter(options)
      case .html: HTMLWriter(options)
      case .jsonl: JSONLinesWriter(options)
      }
  }

  /// Appends what stands before the first message.
  package mutating func begin(to buffer: inout [UInt8]) {
    writer.begin(to: &buffer)
  }

  /// Appends a message, and before it the day where that has changed.
  package mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8]) {
    writer.append(message, to: &buffer)
  }

  /// Appends what stands after the last message.
  package mutating func end(to buffer: inout [UInt8]) {
    writer.end(to: &buffer)
  }
}

/// What a format is: the beginning, messages, the end, all as UTF-8.
protocol MessageWriter {
  /// Appends what stands before the first message.
  mutating func begin(to buffer: inout [UInt8])
  /// Appends a message, and what belongs between the last one and it.
  mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8])
  /// Appends what stands after the last message.
  mutating func end(to buffer: inout [UInt8])
}

extension [UInt8] {
  /// Appends text as UTF-8.
  mutating func write(_ text: some StringProtocol) {
    append(contentsOf: text.utf8)
  }
}
