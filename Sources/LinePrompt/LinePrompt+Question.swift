/// Questions that the user answers in the line's place.
extension LinePrompt {
  /// A question that is being answered.
  struct OpenQuestion {
    let number: Int
    var line: AnswerLine
    let continuation: CheckedContinuation<String?, Never>
  }

  /// Puts the typed line aside and reads an answer behind `prompt`; then the
  /// line is there again, with its cursor. Nothing of an answer is kept. What
  /// the question is about is shown before by ``show(_:)``.
  ///
  /// Cancelling the task withdraws the question.
  /// - Parameter isSecret: whether nothing is shown of what is typed.
  /// - Returns: nil after Ctrl-C or Ctrl-D, where nobody can answer, and while
  ///   another question is open.
  package func ask(_ prompt: String, isSecret: Bool) async -> String? {
    guard isRunning, !isGone, question == nil else { return nil }
    questionCount += 1
    let number = questionCount
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: nil) }
        question = OpenQuestion(
          number: number, line: AnswerLine(prompt: prompt, isSecret: isSecret),
          continuation: continuation)
        isHidden = false
        redraw()
      }
    } onCancel: {
      Task { @MainActor in
        if question?.number == number { closeQuestion(nil) }
      }
    }
  }

  /// Ends the question with an answer, or without one.
  func closeQuestion(_ answer: String?) {
    guard let open = question else { return }
    question = nil
    open.continuation.resume(returning: answer)
    redraw()
  }

  /// Gives what was typed to the question, not to readline.
  func answer(_ item: InputSplitter.Item) {
    switch item {
    case .keys:
      guard let key = queue.popCharacter(), let outcome = question?.line.take(key) else { return }
      switch outcome {
      case .goesOn: if key == [0x0C] { clearScreen() }
      case .given(let answer): closeQuestion(answer)
      case .refused: closeQuestion(nil)
      }
    case .escape:
      queue.popItem()
      question?.line.endSequence()
    case .paste(let text, _):
      queue.popItem()
      question?.line.paste(text)
    case .reply(let bytes):
      queue.popItem()
      events.onReply(bytes)
    }
  }
}
