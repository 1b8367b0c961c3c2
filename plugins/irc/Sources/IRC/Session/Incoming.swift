/// A line from the server, with what is known about why it came.
struct Incoming {
  let line: IncomingLine
  let tags: KnownTags
  /// What was asked for, where the server says that this answers it.
  var transaction: Transaction?
  /// Whether it is one of a netsplit's, or of its end.
  var isSplit = false
  /// Whether it tells of what was before.
  var isPlayback = false

  init(_ line: IncomingLine, _ tags: KnownTags) {
    (self.line, self.tags) = (line, tags)
  }

  var nickBytes: UnsafeRawBufferPointer {
    line.source.map { Source.nick(in: line[$0]) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  var nick: String { IRCText.decode(nickBytes) }

  var source: Source { Source(line.source.map(line.text) ?? "") }

  var messageID: String? { tags.messageID.map(line.tagValue) }
}
