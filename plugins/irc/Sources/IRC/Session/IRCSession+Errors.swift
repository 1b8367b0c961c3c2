internal import Transport

/// What the server refuses.
extension IRCSession {
  /// Takes an error reply; see RFC 1459, section 6.1.
  func takeErrorReply(_ number: Int, _ incoming: Incoming) {
    let line = incoming.line
    let text = FormattedText(line.lastParameter).plain
    // Of nobody and nothing, the name matters most.
    let isUnknown = [401, 402, 406, 441].contains(number) && line.parameters.count > 2
    let failure = ProtocolError(
      Self.errorClass(number), isUnknown ? "\(line.parameter(1)): \(text)" : text,
      code: String(number))
    if let transaction = incoming.transaction { return fail(transaction, failure, line) }
    fail(with: line, failure)
  }

  /// Takes `FAIL`, `WARN` and `NOTE` (IRCv3 standard-replies).
  func takeStandardReply(_ incoming: Incoming) {
    let line = incoming.line
    let text = FormattedText(line.lastParameter).plain
    guard line.isVerb("FAIL") else { return tellUser(text) }
    let failure = ProtocolError(.invalid, text, code: line.parameter(1))
    if let transaction = incoming.transaction { return fail(transaction, failure, line) }
    let command = line.parameter(0).uppercased()
    let about = transactions.first {
      $0.isBegun && $0.isUnlabeled && $0.verbs.contains(command)
    }
    if let about { return fail(about, failure, line) }
    tellUser(text)
  }

  private static func errorClass(_ number: Int) -> ProtocolError.Class {
    switch number {
    case 401, 402, 403, 406, 442: .notFound
    case 404, 405, 716, 465, 471...478, 481...489, 520: .denied
    case 421: .unsupported
    case 437, 439, 263: .retry
    default: .invalid
    }
  }

  /// Finds out from its parameters what an error is about: a room that is
  /// being entered, what is said, or a command.
  func fail(with line: IncomingLine, _ failure: ProtocolError) {
    let names = line.parameters.dropFirst().dropLast().map(line.text)
      .map(features.caseMapping.fold)
    // Each is done before what was said behind it, so the first is the one.
    let transaction = transactions.first {
      $0.isBegun && $0.isUnlabeled && mayBeAbout($0, names)
    }
    if let transaction { return fail(transaction, failure, line) }
    let about = line.parameters.dropFirst().dropLast().map(line.text).joined(separator: " ")
    let isSaid = about.isEmpty || failure.message.hasPrefix("\(about): ")
    tellUser(isSaid ? failure.message : "\(about): \(failure.message)")
  }

  private func mayBeAbout(_ transaction: Transaction, _ names: [String]) -> Bool {
    switch transaction.kind {
    case .join(let rooms):
      rooms.contains { names.contains(features.caseMapping.fold($0.target)) }
    case .send(let send): names.contains(features.caseMapping.fold(send.room.target))
    case .whois(let reply): names.contains(features.caseMapping.fold(reply.nick))
    case .command: true
    case .page, .replay, .list: false
    }
  }

  private func fail(_ transaction: Transaction, _ failure: ProtocolError, _ line: IncomingLine) {
    guard case .join(let rooms) = transaction.kind else {
      if transaction.failure == nil { transaction.failure = failure }
      if case .whois = transaction.kind, transaction.labels.isEmpty { finish(transaction) }
      return
    }
    let name = features.caseMapping.fold(line.parameter(1))
    for room in rooms
    where room.standing == .entering && features.caseMapping.fold(room.target) == name {
      if line.number == 475, room.keyAttempts < Room.keyLimit { return askForKey(of: room) }
      refuseEntry(room, line.number == 475 ? noKey(of: room, failure) : failure)
    }
  }
}
