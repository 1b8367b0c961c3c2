internal import TerminalText
package import Transport

/// Where the way to a room asks the user something. It is there before the
/// session is, which has to have a way to its room.
@MainActor
package final class QuestionDesk: Questioner {
  weak var session: Session?

  package init() {}

  package nonisolated func answer(to question: Question) async -> String? {
    await ask(question)
  }

  private func ask(_ question: Question) async -> String? {
    await session?.answer(to: question)
  }
}

extension Session {
  /// Asks at the prompt, one question after the other, and nobody in the midst
  /// of a sentence: the keys of its rest would be the answer.
  func answer(to question: Question) async -> String? {
    let text = "\(question.asker): \(question.text)"
    if question.kind != .notice, isUp, !surface.line.isEmpty {
      say(
        language(
          "\(text) – to answer, send your line or take it back (Ctrl-U) first",
          "\(text) – 먼저 입력 중인 줄을 보내거나 지우면(Ctrl-U) 답할 수 있습니다"))
    }
    await waitForTurn(withEmptyLine: question.kind != .notice)
    guard !isOver, !Task.isCancelled else { return nil }
    let rows = noteRows(text)
    // Also while arrivals wait: nobody answers what is not there to read.
    surface.show(rows)
    let prompt: String
    switch question.kind {
    case .notice: return ""
    case .visible: prompt = language("answer> ", "답> ")
    case .secret: prompt = language("answer (not shown)> ", "답 (보이지 않음)> ")
    }
    isAsking = true
    defer {
      isAsking = false
      admitQuestion()
    }
    return await surface.ask(prompt, isSecret: question.kind == .secret)
  }

  private func waitForTurn(withEmptyLine needsEmptyLine: Bool) async {
    while !isOver, !isUp || isLent || isAsking || needsEmptyLine && !surface.line.isEmpty {
      let isTyping = isUp && !surface.line.isEmpty
      await withCheckedContinuation { questionWaiters.append($0) }
      // Whoever has just sent a line may be about to type the next.
      if isTyping { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  /// Lets those who wait see whether it is their turn.
  func admitQuestion() {
    let waiters = questionWaiters
    questionWaiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Nothing is asked any more.
  func endQuestions() {
    isOver = true
    admitQuestion()
  }
}
