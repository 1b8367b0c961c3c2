import ChatModel
import TestSupport
import Transport
import TransportSecurity

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

  /// Why it does not go on without somebody's doing.
  var fatalReason: String? {
    lazy.compactMap { if case .state(.fatal(let error)) = $0 { error.reason } else { nil } }.first
  }

  /// True once the cluster was reached.
  var isOnline: Bool? {
    contains { if case .state(.online) = $0 { true } else { false } } ? true : nil
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

  /// Brings a file to `tea`.
  /// - Parameter count: after how many parts to stop.
  /// - Returns: the stored path; empty where it has stopped.
  func put(
    _ bytes: [UInt8], _ name: String, ref: String = "put", stoppingAfter count: Int = .max
  ) async throws -> String {
    var digest = SHA256()
    bytes.withUnsafeBytes { digest.update($0) }
    say(
      .put(
        ref: ref,
        PutRequest(
          room: "tea", name: name, mediaType: nil, sizeInBytes: Int64(bytes.count),
          sha256: digest.finish())))
    let start: Int64? = try await wait("ready") { answers in
      answers.compactMap { answer -> Int64?? in
        switch answer {
        case .ready(ref, let offset): .some(offset)
        case .stored(ref, _): .some(nil)
        default: nil
        }
      }.first
    }
    var place = Int(start ?? Int64(bytes.count))
    var sentCount = 0
    while sentCount < count, place < bytes.count {
      sentCount += 1
      let end = min(place + LineProtocol.maximumChunkBytes, bytes.count)
      say(.chunk(ref: ref, data: Base64.encode(bytes[place..<end]), isLast: end == bytes.count))
      place = end
    }
    guard place == bytes.count else {
      let done = Int64(place)
      _ = try await wait("progress") { answers in
        answers.first { if case .progress(ref, done, _) = $0 { true } else { false } }
      }
      return ""
    }
    return try await wait("stored") { answers in
      answers.compactMap { if case .stored(ref, let path) = $0 { path } else { nil } }.first
    }
  }

  /// Fetches a file of `tea`.
  func get(_ path: String, from offset: Int64 = 0) async throws -> [UInt8] {
    let ref = "get \(offset)"
    say(.get(ref: ref, room: "tea", path: path, offset: offset))
    return try await wait("last chunk") { answers in
      var bytes: [UInt8] = []
      for case .chunk(ref, let data, let isLast) in answers {
        bytes += Base64.decode(data) ?? []
        if isLast { return bytes }
      }
      return nil
    }
  }
}
