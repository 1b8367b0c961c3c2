import Dispatch

/// Questions to the terminal itself.
extension LinePrompt {
  /// For how long the beginning of a sequence is taken for that of an answer
  /// after a question, and after what was heard last of it.
  private static let answerTime = DispatchTimeInterval.seconds(5)
  private static let pause = DispatchTimeInterval.seconds(1)

  /// Asks the terminal something: what it answers is told by
  /// ``Events/onReply``, a sequence at a time, whenever it comes. Nothing is
  /// asked of a dumb one, or while another program has it.
  package func query(_ question: String) {
    guard !isPlain, holdsTerminal() else { return }
    repliesExpectedUntil = .now() + Self.answerTime
    // A terminal that does not know the question may have written it.
    write(painter.erase() + Array(question.utf8) + Array("\r\u{1B}[K".utf8))
    redraw()
  }

  /// Gives the terminal something to keep in the clipboard, in base64 (xterm
  /// control sequences, OSC 52).
  package func copy(base64 text: String) {
    guard !isPlain, holdsTerminal() else { return }
    write(Array("\u{1B}]52;c;\(text)\u{07}".utf8))
  }

  /// Whether what waits is the beginning of an answer, which may take longer
  /// than a key.
  private var isAwaitingRest: Bool {
    splitter.isHoldingReply && repliesExpectedUntil.map { $0 > .now() } ?? false
  }

  /// When what waits is given up.
  var sequenceDeadline: DispatchTime? {
    guard splitter.isHoldingSequence else { return nil }
    return .now() + (isAwaitingRest ? Self.pause : .milliseconds(Readline.keyTimeout))
  }

  /// Gives up half an answer: its rest would be typed into the line.
  func dropUnfinishedReply() {
    if splitter.isHoldingReply, repliesExpectedUntil != nil { splitter.drop() }
  }
}
