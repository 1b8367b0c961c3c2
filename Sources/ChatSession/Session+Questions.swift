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
  /// Asks at the prompt, one question after the other, when nobody types: the
  /// keys of a sentence's rest would be the answer. What is typed so far waits.
  func answer(to question: Question) async -> String? {
    let text = "\(question.asker): \(question.text)"
    if question.kind != .notice, isUp, pauseLeft != nil {
      say(
        language(
          "\(text) – you are asked when you stop typing", "\(text) – 입력을 멈추면 묻습니다"))
    }
    await waitForTurn(needsPause: question.kind != .notice)
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

  private func waitForTurn(needsPause: Bool) async {
    while !isOver {
      if !isUp || isLent || isAsking {
        await withCheckedContinuation { questionWaiters.append($0) }
      } else if needsPause, let pauseLeft {
        try? await Task.sleep(for: pauseLeft)
      } else {
        return
      }
    }
  }

  /// How long nothing is typed by somebody who has stopped.
  private static let pause = Duration.seconds(3)

  /// For how long it is not known yet whether the user has; nil where he has.
  private var pauseLeft: Duration? {
    guard let typedAt, !Task.isCancelled else { return nil }
    let left = Self.pause - (ContinuousClock.now - typedAt)
    return left > .zero ? left : nil
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
