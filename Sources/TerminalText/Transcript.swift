package import ChatModel

/// Turns messages into rows, one after the other, as they come.
///
/// It keeps what the look of a message depends on: who spoke last and in which
/// minute, and the date of the last row. Rows hold no newline and no control
/// character other than the palette's own colours; in bubble and compact style
/// they stay clear of the terminal's last column. No row ends in a blank.
package struct Transcript: Sendable {
  /// Changing the style, the width or whatever else ends the run of one
  /// person's messages, so that the next shows its name; the date stays known.
  package var options: TranscriptOptions {
    didSet { apply(from: oldValue) }
  }

  /// Consecutive messages of one person in one minute share a name line.
  struct Run: Equatable {
    var profileID: String
    var name: String
    var room: String?
    var minute: Int64
  }

  /// The run that the next message may go on with.
  var run: Run?
  /// Names that were shown lately.
  var senders = SenderCache()
  /// Kept for the memory that it holds.
  var wrapper: LineWrapper
  private var lastDay: Int64?
  private var clock: LocalClock
  private var mentions: MentionFinder
  private var labelMinute: Int64?
  /// The time of the message that is being laid out, and its columns.
  private(set) var label = ""
  private(set) var labelColumns = 0

  /// A transcript in which nothing has been shown yet.
  package init(options: TranscriptOptions) {
    self.options = options
    clock = LocalClock(zone: options.zone)
    mentions = MentionFinder(names: options.mentionNames)
    wrapper = LineWrapper(columns: options.area, measure: options.measure)
  }

  /// The rows of a message, after a row with the date where that has changed.
  package mutating func lines(for shown: ShownMessage) -> [String] {
    var bytes: [UInt8] = []
    append(shown, to: &bytes)
    return rows(of: bytes)
  }

  /// The rows of what nobody said: a topic, an error, somebody who joined.
  package mutating func lines(forNotice text: String, at moment: Timestamp) -> [String] {
    var bytes: [UInt8] = []
    append(notice: text, at: moment, to: &bytes)
    return rows(of: bytes)
  }

  /// Appends the rows of a message as UTF-8, each with a newline at its end:
  /// the same as `lines(for:)`, for output in bulk.
  package mutating func append(_ shown: ShownMessage, to bytes: inout [UInt8]) {
    let moment = moment(at: shown.entry.time)
    var lateDay: String?
    if !shown.entry.isLate || lastDay == nil {
      appendDay(of: moment, to: &bytes)
    } else if moment.day != lastDay {
      lateDay = timeLabel.shortDayText(for: LocalTime(localSeconds: moment.seconds))
    }
    let id = shown.entry.message.profileID
    let sender = senders.sender(
      id: id, name: shown.senderName, isOwn: shown.isOwn ?? (id == options.ownProfileID),
      options: options)
    if let update = shown.update {
      appendUpdate(update, of: shown, by: sender, to: &bytes)
      return
    }
    let content = shown.entry.message.content
    let isMention = !sender.isOwn && content.map(mentions.isMentioned(in:)) == true
    if !isMention, appendQuickly(shown, by: sender, to: &bytes) { return }
    let text = MessageText(shown: shown, options: options)
    let item = Item(
      text: text, sender: sender, minute: moment.minute, isMention: isMention,
      marks: text.marks(of: sender, isMention: isMention, lateDay: lateDay))
    switch options.effectiveStyle {
    case .bubble: appendBubble(item, to: &bytes)
    case .compact: appendCompact(item, to: &bytes)
    case .plain: appendPlain(item, to: &bytes)
    }
  }

  /// Appends the rows of a notice, each with a newline at its end.
  package mutating func append(
    notice text: String, at time: Timestamp, to bytes: inout [UInt8]
  ) {
    let moment = moment(at: time)
    appendDay(of: moment, to: &bytes)
    run = nil
    let content = withoutBlankEnds(neutralized(text, .paragraph))
    let words = content.isEmpty ? Wording(language: options.language).empty : content
    switch options.effectiveStyle {
    case .bubble: appendCentered("\(words)\(glyphs.separator)\(label)", to: &bytes)
    case .compact: appendHanging("\(label) -- \(words)", to: &bytes)
    case .plain: appendUnwrapped("\(words) (\(label))", to: &bytes)
    }
  }

  /// Whether a text names the reader, as a bubble would be marked.
  package func isMentioned(in text: String) -> Bool { mentions.isMentioned(in: text) }

  /// A message with what is known about it before it is laid out.
  struct Item {
    let text: MessageText
    let sender: Sender
    let minute: Int64
    let isMention: Bool
    let marks: [String]
  }

  /// What boxes are drawn with.
  var glyphs: Glyphs { options.isUTF8 ? .rounded : .ascii }

  private var timeLabel: TimeLabel {
    TimeLabel(language: options.language, clock: options.clock)
  }

  private mutating func apply(from old: TranscriptOptions) {
    run = nil
    labelMinute = nil
    senders = SenderCache()
    if old.zone != options.zone { clock = LocalClock(zone: options.zone) }
    mentions = MentionFinder(names: options.mentionNames)
    wrapper = LineWrapper(columns: options.area, measure: options.measure)
  }

  /// Local seconds, minutes and days since 1970; makes the label of that
  /// minute the current one.
  private mutating func moment(at time: Timestamp) -> (seconds: Int64, minute: Int64, day: Int64) {
    let seconds = clock.localSeconds(at: time)
    let minute = seconds.flooredQuotient(60)
    if minute != labelMinute {
      labelMinute = minute
      label = timeLabel.text(for: LocalTime(localSeconds: seconds))
      labelColumns = options.measure.columns(label)
    }
    return (seconds, minute, seconds.flooredQuotient(86_400))
  }

  /// Appends the date when it is not that of the last row.
  private mutating func appendDay(
    of moment: (seconds: Int64, minute: Int64, day: Int64), to bytes: inout [UInt8]
  ) {
    if moment.day == lastDay { return }
    lastDay = moment.day
    run = nil
    let date = LocalTime(localSeconds: moment.seconds)
    var text = timeLabel.dayText(for: date)
    if options.effectiveStyle != .plain, options.measure.columns(text) > options.area {
      text = timeLabel.shortDayText(for: date)
    }
    if options.effectiveStyle == .plain {
      bytes.append(text)
    } else {
      appendRule(around: text, to: &bytes)
    }
    bytes.endRow()
  }

  private func appendRule(around text: String, to bytes: inout [UInt8]) {
    let ends = String(repeating: glyphs.horizontal, count: 2)
    let ruled = "\(ends) \(text) \(ends)"
    let width = options.measure.columns(ruled)
    guard width <= options.area else {
      bytes.append(fitting(text, columns: options.area, options: options))
      return
    }
    if options.effectiveStyle == .bubble { bytes.append(blanks: (options.area - width) / 2) }
    bytes.append(ruled)
  }

  private mutating func appendUpdate(
    _ update: MessageUpdate, of shown: ShownMessage, by sender: Sender, to bytes: inout [UInt8]
  ) {
    run = nil
    let sentence = MessageText(shown: shown, options: options)
      .sentence(of: update, by: sender, time: label)
    let place = shown.room.map { "[\(field($0, columns: 24, options: options))] " } ?? ""
    if options.effectiveStyle == .plain {
      appendUnwrapped(place + sentence, to: &bytes)
    } else {
      appendHanging(place + sentence, to: &bytes)
    }
  }
}
