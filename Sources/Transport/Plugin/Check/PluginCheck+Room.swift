internal import ChatModel

/// What a plugin promises of a room.
extension PluginCheck {
  func checkRoom(_ address: RoomAddress) async throws(TransportError) {
    guard case .remote(_, _, let room) = address.place else { return }
    let conversation = try await conversation()
    let welcome = await greet(conversation, address: address)
    if welcome == nil {
      tell(
        "answers hello with welcome of version 1", false,
        otherwise: await conversation.silence("no welcome came in time"))
    }
    if let welcome, let joined = await join(room, conversation) {
      let capabilities = joined.capabilities ?? welcome.capabilities
      await checkSending(to: joined.room, capabilities, conversation)
      await checkHistory(of: joined.room, capabilities, conversation)
      await checkLists(of: joined.room, conversation)
      await checkReturn(to: joined.room, capabilities, conversation)
      await conversation.say(.leave(ref: "l1", room: joined.room))
      let left = await conversation.answer { if case .left("l1") = $0 { true } else { false } }
      tell("answers leave with left", left != nil, otherwise: "no left came in time")
    }
    await conversation.say(.bye)
    await conversation.endWriting()
    _ = await conversation.endsByItself(within: .seconds(5))
  }

  private func join(_ room: String, _ conversation: PluginConversation) async -> Joined? {
    await conversation.say(.join(ref: "j1", JoinRequest(room: room, tail: 3)))
    let answer = await conversation.answer(within: .seconds(60)) {
      switch $0 {
      case .joined("j1", _), .event, .live, .error: true
      default: false
      }
    }
    guard case .joined(_, let joined)? = answer else {
      let reason = await conversation.silence(
        answer?.error("j1")?.message ?? "no joined came before anything else in time")
      tell("answers join with joined, before anything of the room", false, otherwise: reason)
      return nil
    }
    tell("answers join with joined, before anything of the room", true, otherwise: "")
    let live = await conversation.answer(within: .seconds(60)) {
      if case .live(joined.room, _) = $0 { true } else { false }
    }
    tell(
      "says live when the replay is over", live != nil,
      otherwise: await conversation.silence("no live came in time"))
    return joined
  }

  private func checkSending(
    to room: String, _ capabilities: Capabilities, _ conversation: PluginConversation
  ) async {
    var ids = UUIDv7Generator()
    let id = ids.next(at: .now)
    let message = Message(
      id: id, profileID: "check", content: "a message of banter plugins check", createdAt: .now)
    let request = SendRequest(room: room, event: .message(message))
    await conversation.say(.send(ref: "s1", request))
    let first = await acknowledgement("s1", conversation)
    guard tell("acknowledges what is sent, by its id", first?.id == id, otherwise: reason(first))
    else { return }
    let promise = "tells one's own message under the id that it was sent with"
    if capabilities.echo == .id {
      let echo = await conversation.answer {
        if case .event(room, let event) = $0 { event.event.id == id } else { false }
      }
      tell(promise, echo != nil, otherwise: "it did not come back in time")
    } else {
      tellNotOffered(promise)
    }
    let dedupe = "acknowledges a repeat as a duplicate"
    guard capabilities.removesDuplicates else { return tellNotOffered(dedupe) }
    var repeated = request
    repeated.since = first?.cursor
    await conversation.say(.send(ref: "s2", repeated))
    let second = await acknowledgement("s2", conversation)
    tell(dedupe, second?.isDuplicate == true, otherwise: reason(second))
  }

  /// One who comes back has his last messages before him, and what he missed.
  private func checkReturn(
    to room: String, _ capabilities: Capabilities, _ conversation: PluginConversation
  ) async {
    let promise = "tells one who comes back with a cursor the last messages too"
    // Of what joining tells, only one who has it all can tell any part again.
    guard capabilities.history == .full else { return tellNotOffered(promise) }
    await conversation.say(.leave(ref: "l0", room: room))
    _ = await conversation.answer { if case .left("l0") = $0 { true } else { false } }
    await conversation.say(.join(ref: "j0", JoinRequest(room: room, tail: 0)))
    let live = await conversation.answer(within: .seconds(30)) {
      if case .live(room, _) = $0 { true } else { false }
    }
    guard case .live(_, let cursor)? = live else {
      tell(promise, false, otherwise: "no live came in time")
      return
    }
    await conversation.say(.leave(ref: "l2", room: room))
    _ = await conversation.answer { if case .left("l2") = $0 { true } else { false } }
    await conversation.forget()
    await conversation.say(.join(ref: "j2", JoinRequest(room: room, after: cursor, tail: 1)))
    let event = await conversation.answer {
      switch $0 {
      case .event(room, _), .live(room, _): true
      default: false
      }
    }
    if case .event? = event {
      tell(promise, true, otherwise: "")
    } else {
      tell(promise, false, otherwise: "it told nothing before live")
    }
  }

  private func reason(_ acknowledgement: Acknowledgement?) -> String {
    guard let acknowledgement else { return "no ack came in time" }
    return "ack of \(acknowledgement.id), duplicate \(acknowledgement.isDuplicate)"
  }

  private func acknowledgement(
    _ ref: String, _ conversation: PluginConversation
  ) async -> Acknowledgement? {
    let answer = await conversation.answer(within: .seconds(30)) {
      if case .ack(ref, _) = $0 { true } else { $0.error(ref) != nil }
    }
    guard case .ack(_, let acknowledgement)? = answer else { return nil }
    return acknowledgement
  }

  private func checkHistory(
    of room: String, _ capabilities: Capabilities, _ conversation: PluginConversation
  ) async {
    let promise = "pages its history, oldest first and no more than asked for"
    guard capabilities.history == .full else { return tellNotOffered(promise) }
    await conversation.say(.history(ref: "h1", HistoryRequest(room: room, limit: 2)))
    let answer = await conversation.answer {
      if case .page("h1", _) = $0 { true } else { $0.error("h1") != nil }
    }
    guard case .page(_, let page)? = answer else {
      tell(promise, false, otherwise: answer?.error("h1")?.message ?? "no page came in time")
      return
    }
    let times = page.events.compactMap(\.event.createdAt)
    let count = page.events.count { if case .message = $0.event { true } else { false } }
    tell(
      promise, count <= 2 && times == times.sorted(),
      otherwise: "\(count) messages, times \(times)")
  }

  private func checkLists(of room: String, _ conversation: PluginConversation) async {
    await conversation.say(.members(ref: "m1", room: room))
    await conversation.say(.rooms(ref: "r1"))
    await conversation.say(
      .history(ref: "h2", HistoryRequest(room: "check/no such room", limit: 1)))
    let requests = [("m1", "members"), ("r1", "rooms"), ("h2", "history of no such room")]
    // They were asked at the same time, and are waited for at the same time.
    let deadline = ContinuousClock.now + pace.patience
    for (ref, request) in requests {
      let answer = await conversation.answer(within: deadline - .now) { $0.ref == ref }
      tell("answers the request for \(request)", answer != nil, otherwise: "no answer came in time")
    }
  }
}

extension Answer {
  /// The request that it answers.
  fileprivate var ref: String? {
    switch self {
    case .members(let ref, _, _), .rooms(let ref, _, _), .page(let ref, _), .error(let ref?, _):
      ref
    default: nil
    }
  }
}
