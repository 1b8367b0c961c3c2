import ChatModel
import TestSupport
import Transport

extension [Answer] {
  /// The contents of the messages that were told, in order.
  var contents: [String] {
    compactMap { answer in
      guard case .event(_, let told) = answer, case .message(let message) = told.event else {
        return nil
      }
      return message.content
    }
  }

  /// The same, once there are so many.
  func contents(count: Int) -> [String]? {
    let contents = contents
    return contents.count >= count ? contents : nil
  }

  func acknowledgement(_ ref: String) -> Acknowledgement? {
    lazy.compactMap { if case .ack(ref, let answer) = $0 { answer } else { nil } }.last
  }

  func firstError(_ ref: String) -> ProtocolError? {
    lazy.compactMap { if case .error(ref, let error) = $0 { error } else { nil } }.first
  }

  var liveCursor: Cursor? {
    lazy.compactMap { if case .live(_, let cursor) = $0 { cursor } else { nil } }.first
  }

  /// Whether somebody is there, as far as was told last.
  func presence(_ id: String) -> Bool? {
    lazy.compactMap { answer -> Bool? in
      guard case .event(_, let told) = answer, case .presence(let presence) = told.event,
        presence.profileID == id
      else { return nil }
      return presence.isPresent
    }.last
  }
}

extension [RoomEvent] {
  var contents: [String] {
    compactMap { if case .message(let message) = $0.event { message.content } else { nil } }
  }
}

extension PluginProcess {
  /// Asks for a page of the past.
  func page(_ request: HistoryRequest) async throws -> Page {
    let ref = "page \(request)"
    say(.history(ref: ref, request))
    return try await wait("page") { answers in
      answers.compactMap { if case .page(ref, let page) = $0 { page } else { nil } }.first
    }
  }
}
