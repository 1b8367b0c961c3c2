internal import Transport

/// What became of what was asked.
extension IRCSession {
  /// Sends lines of which is to be known what becomes of them.
  func begin(_ transaction: Transaction, _ lines: [OutgoingLine]) {
    transactions.append(transaction)
    transaction.verbs = Set(lines.map(\.verb))
    for line in lines {
      var line = line
      label(&line, of: transaction)
      queue.add(line.bytes, of: transaction)
    }
  }

  func label(_ line: inout OutgoingLine, of transaction: Transaction) {
    guard capabilities.isOn("labeled-response"), hasTags else { return }
    let label = String(takeNumber())
    transaction.labels.insert(label)
    line.tags.insert(("label", label), at: 0)
  }

  func transaction(_ label: String) -> Transaction? {
    transactions.first { $0.labels.contains(label) }
  }

  /// The answer to a line with that label is complete.
  func endLabel(_ label: String) {
    guard let transaction = transaction(label) else { return }
    transaction.labels.remove(label)
    if transaction.labels.isEmpty, transaction.unsaid == 0 { finish(transaction) }
  }

  // MARK: - Signs

  private static let fencePrefix = "banter-"

  static func fenceNumber(_ sign: String) -> Int? {
    sign.hasPrefix(fencePrefix) ? Int(sign.dropFirst(fencePrefix.count)) : nil
  }

  /// A sign behind what has no label, each its own: what is refused before it
  /// comes back is about that, and once it does, that is done.
  func fence(behind transaction: Transaction) -> [UInt8] {
    transaction.saidAt = now.uptime
    guard transaction.labels.isEmpty else { return [] }
    let number = takeNumber()
    transaction.fence = number
    return Self.sign(number)
  }

  /// One sign behind everything whose label does not come back.
  func fencesForWhatIsNotAnswered() -> [UInt8] {
    var number: Int?
    for transaction in transactions where transaction.fence == nil && transaction.unsaid == 0 {
      let saidAt = transaction.saidAt ?? now.uptime
      transaction.saidAt = saidAt
      guard transaction.labels.isEmpty || saidAt + Self.labelPatience <= now.uptime else {
        continue
      }
      let fence = number ?? takeNumber()
      number = fence
      transaction.fence = fence
    }
    guard let number else { return [] }
    queue.spendSign(at: now.uptime)
    return Self.sign(number)
  }

  private static func sign(_ number: Int) -> [UInt8] {
    Array("PING \(fencePrefix)\(number)\r\n".utf8)
  }

  /// How long an answer with a label is waited for before a sign is asked for
  /// instead.
  static let labelPatience = Duration.seconds(2)

  /// How long the past, which comes before a sign, keeps a room waiting: there
  /// are servers that give no signs.
  private var replayPatience: Duration {
    givesSigns ? .seconds(60) : hasHistory ? .seconds(3) : .seconds(1)
  }

  /// How long another server may take to tell of somebody.
  private static let whoisPatience = Duration.seconds(15)

  /// Until when somebody else's answer is waited for though signs have passed.
  private func patienceEnd(of transaction: Transaction) -> Duration? {
    guard case .whois = transaction.kind, transaction.fence != nil else { return nil }
    return transaction.saidAt.map { $0 + Self.whoisPatience }
  }

  /// When something is due, though nothing comes.
  var transactionDeadline: Duration? {
    transactions.compactMap { transaction -> Duration? in
      guard let saidAt = transaction.saidAt else { return nil }
      if case .replay(let room) = transaction.kind, room.isReplaying {
        return saidAt + replayPatience
      }
      return transaction.fence == nil
        ? saidAt + Self.labelPatience : patienceEnd(of: transaction)
    }.min()
  }

  /// Goes on without what does not come.
  func endWhatIsLate() {
    for transaction in transactions {
      if let end = patienceEnd(of: transaction), end <= now.uptime { finish(transaction) }
      guard case .replay(let room) = transaction.kind, room.isReplaying,
        let saidAt = transaction.saidAt, saidAt + replayPatience <= now.uptime
      else { continue }
      if hasHistory { tellGap(in: room) }
      finishReplay(of: room)
    }
  }

  /// The server has done everything before that sign.
  func pass(_ fence: Int) {
    for transaction in transactions where transaction.fence.map({ $0 <= fence }) ?? false {
      // Long lists are sent bit by bit, with other things between.
      if case .list(let list) = transaction.kind, list.hasBegun { continue }
      // Somebody may be at another server, which answers later.
      if case .whois = transaction.kind, transaction.failure == nil { continue }
      finish(transaction)
    }
  }

  // MARK: - Ends

  func finish(_ transaction: Transaction) {
    transactions.removeAll { $0 === transaction }
    switch transaction.kind {
    case .send(let send): finish(send, transaction)
    case .command: finishCommand(transaction)
    case .join(let rooms): finishJoin(rooms, transaction)
    case .whois(let reply): finishWhois(reply, transaction)
    case .list(let list): finishList(list, transaction)
    case .page(let page): finishPage(page, transaction)
    case .replay(let room): endReplay(of: room, transaction)
    }
  }

  private func finishCommand(_ transaction: Transaction) {
    guard let ref = transaction.ref else { return }
    if let failure = transaction.failure {
      tellHost(.error(ref: ref, failure))
    } else {
      tellHost(.done(ref: ref, notice: transaction.notice))
    }
  }

  func refuse(_ ref: String?, _ errorClass: ProtocolError.Class, _ message: String) {
    guard let ref else { return tellUser(message) }
    tellHost(.error(ref: ref, ProtocolError(errorClass, message)))
  }

  /// Gives back what no time is left for; the host may send it another day.
  func refuseUnsaid() {
    let failure = ProtocolError(.retry, wording.hungUp)
    let unsaid = transactions.filter { !$0.isBegun }
    transactions.removeAll { !$0.isBegun }
    let refs = unsaid.map(\.ref) + waitingSends.map(\.ref)
    waitingSends = []
    for case let ref? in refs { tellHost(.error(ref: ref, failure)) }
  }

  /// The way is gone. What was not said is said over the next one; of what was,
  /// nobody knows.
  func loseTransactions() {
    let lost = transactions
    transactions = []
    let failure = ProtocolError(.retry, wording.hungUp)
    for transaction in lost {
      switch transaction.kind {
      case .send(let send):
        if transaction.unsaid == transaction.lineCount {
          waitingSends.append((transaction.ref, send.request))
        } else {
          lose(transaction, send)
        }
      case .join, .replay: break
      case .command, .whois, .list, .page:
        if let ref = transaction.ref { tellHost(.error(ref: ref, failure)) }
      }
    }
  }
}
