import CReadline
import Dispatch

/// Questions to the terminal itself.
extension LinePrompt {
  /// For how long the beginning of a sequence is taken for that of an answer
  /// after a question, and after what was heard last of it.
  private static let answerTime = DispatchTimeInterval.seconds(5)
  private static let pause = DispatchTimeInterval.seconds(1)
  /// For how long another program has to wait for the terminal.
  private static let patience = DispatchTimeInterval.seconds(2)
  /// For how long nothing comes before what follows may be typed.
  private static let shortPause = DispatchTimeInterval.milliseconds(150)

  /// Asks the terminal something: what it answers is told by
  /// ``Events/onReply``, a sequence at a time, whenever it comes. Nothing is
  /// asked of a dumb one, or while another program has it.
  /// - Parameter question: asks for the attributes (DA1) last, whose answer is
  ///   the end of all answers.
  /// - Returns: whether it was asked.
  package func query(_ question: String) -> Bool {
    guard !isPlain, holdsTerminal() else { return false }
    repliesExpectedUntil = .now() + Self.answerTime
    // A terminal that does not know the question may have written it.
    write(painter.erase() + Array(question.utf8) + Array("\r\u{1B}[K".utf8))
    redraw()
    return true
  }

  /// Gives the terminal something to keep in the clipboard, in base64 (xterm
  /// control sequences, OSC 52).
  package func copy(base64 text: String) {
    guard !isPlain, holdsTerminal() else { return }
    write(Array("\u{1B}]52;c;\(text)\u{07}".utf8))
  }

  private var isAwaitingReply: Bool { repliesExpectedUntil.map { $0 > .now() } ?? false }

  /// When what waits is given up. An answer may take longer than a key; what is
  /// typed meanwhile does not make it longer.
  var sequenceDeadline: DispatchTime? {
    guard splitter.isHoldingSequence else { return nil }
    // To readline alone it means nothing before the next key, but in vi's modes
    // and in a search.
    if splitter.isHoldingEscape, isAwaitingReply, rl_editing_mode != 0, !Readline.isSearching {
      return repliesExpectedUntil
    }
    guard splitter.isHoldingReply, isAwaitingReply else {
      return .now() + .milliseconds(Readline.keyTimeout)
    }
    return (splitter.countBeforePause == nil ? .now() : lastPause) + Self.pause
  }

  /// To be called before what was read is looked at: tells apart what comes of
  /// an answer in one go, and what comes later and may be typed.
  func notePause() {
    let now = DispatchTime.now()
    splitter.isExpectingReply = isAwaitingReply
    if splitter.isHoldingReply, splitter.countBeforePause == nil, now > lastRead + Self.shortPause {
      splitter.countBeforePause = splitter.heldCount
      lastPause = lastRead
    }
    lastRead = now
  }

  /// Looks whether what was asked is answered.
  func noteReplies(in items: [InputSplitter.Item]) {
    for case .reply(let bytes) in items
    where bytes.starts(with: "\u{1B}[?".utf8) && bytes.last == UInt8(ascii: "c") {
      repliesExpectedUntil = nil
    }
  }

  /// Takes in what the terminal has still to answer: whoever reads it next would
  /// have it typed. What is read waits in the queue.
  func awaitReplies() {
    let end = DispatchTime.now() + Self.patience
    while isAwaitingReply, let milliseconds = Self.milliseconds(until: end),
      device.hasInput(within: milliseconds), readTerminal()
    {}
    dropUnfinishedReply()
  }

  /// Nil when it is over.
  private static func milliseconds(until end: DispatchTime) -> Int? {
    let now = DispatchTime.now()
    guard now < end else { return nil }
    return Int((end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000) + 1
  }

  /// Gives up half an answer: its rest would be typed into the line.
  func dropUnfinishedReply() {
    guard splitter.isHoldingReply, splitter.isExpectingReply else { return }
    queue.append(splitter.drop())
  }
}
