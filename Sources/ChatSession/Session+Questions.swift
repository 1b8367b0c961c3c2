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
  /// Asks at the prompt, one question after the other; what is being typed
  /// waits.
  func answer(to question: Question) async -> String? {
    await waitForTurn()
    guard !isOver, !Task.isCancelled else { return nil }
    let rows = noteRows("\(question.asker): \(question.text)")
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

  private func waitForTurn() async {
    while !isOver, !isUp || isLent || isAsking {
      await withCheckedContinuation { questionWaiters.append($0) }
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
