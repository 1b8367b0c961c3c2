/// What a far side wants to know from the user, or wants the user to know.
extension LinkRoom {
  /// How many questions may be open, and how much of a text is shown.
  private static let needLimit = 8
  private static let nameLength = 200
  private static let noteLength = 500

  /// Asks the user for a credential, which is handed on and not kept.
  /// - Parameter user: whose it is, where that is not the user's own account.
  func answerNeed(_ ref: String, _ name: String, isSecret: Bool, of user: String?) {
    let shown = String(name.prefix(Self.nameLength))
    guard let questioner else {
      return failNeed("it asks for \(shown), and there is nobody to ask")
    }
    guard needs.count < Self.needLimit else { return failNeed("it asks for too much at once") }
    let question = Question(
      asker: dialer.name, text: shown, kind: isSecret ? .secret : .visible,
      isRepeated: !needed.insert(shown).inserted,
      user: user.map { String($0.prefix(Self.nameLength)) })
    let number = takeRef()
    needs[number] = Task {
      let answer = await questioner.answer(to: question)
      guard !Task.isCancelled, needs.removeValue(forKey: number) != nil else { return }
      guard let answer else { return failNeed("it asks for \(shown), and was given no answer") }
      heardAt = .now
      ask(.given(ref: ref, value: answer))
    }
  }

  private func failNeed(_ reason: String) {
    fail(TransportError(.refused, path: dialer.name, reason: reason))
  }

  /// Nobody is there any more to be given an answer.
  func withdrawNeeds() {
    for need in needs.values { need.cancel() }
    (needs, needed) = ([:], [])
  }

  /// Tells what the far side writes into its log, if it is a warning or worse.
  func takeLog(_ level: String, _ message: String) {
    guard ["warn", "warning", "error"].contains(level.lowercased()) else { return }
    tell(.notice("\(dialer.name): \(message.prefix(Self.noteLength))"))
  }
}
