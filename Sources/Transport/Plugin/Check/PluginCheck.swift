package import ChatModel

/// Holds a plugin to the line protocol, one promise after the other.
package struct PluginCheck: Sendable {
  /// What became of one promise.
  package struct Finding: Sendable {
    package enum Outcome: Sendable, Equatable {
      case kept
      /// What it did instead.
      case broken(String)
      /// It says that it cannot do that.
      case notOffered
    }

    /// The promise, as a sentence without a full stop.
    package var promise: String
    package var outcome: Outcome
  }

  let program: PluginProgram
  let environment: [String: String]
  let client: String
  let settings: [String: String]
  private let questioner: (any Questioner)?
  let pace = PluginPace()
  private let report: @Sendable (Finding) -> Void

  /// - Parameters:
  ///   - questioner: has what the plugin asks for.
  ///   - report: told of each promise when it has been tried.
  package init(
    _ program: PluginProgram, environment: [String: String], client: String,
    settings: [String: String], questioner: (any Questioner)? = nil,
    report: @escaping @Sendable (Finding) -> Void
  ) {
    (self.program, self.environment, self.client) = (program, environment, client)
    (self.settings, self.questioner, self.report) = (settings, questioner, report)
  }

  func conversation() async throws(TransportError) -> PluginConversation {
    try await PluginConversation(
      program, environment: environment, questioner: questioner, pace: pace)
  }

  /// Says hello, and good-bye.
  /// - Returns: its greeting; nil when there is none in time.
  package func greeting() async throws(TransportError) -> Welcome? {
    let conversation = try await conversation()
    let welcome = await greet(conversation, address: nil)
    await conversation.say(.bye)
    await conversation.endWriting()
    _ = await conversation.endsByItself(within: .seconds(5))
    return welcome
  }

  /// Tries everything.
  /// - Parameter address: of a room that may be written to; without one, only
  ///   what needs no room is tried.
  /// - Throws: when it cannot be started.
  package func run(address: RoomAddress?) async throws(TransportError) {
    try await checkManners()
    try await checkVersions()
    try await checkEndOfInput()
    if let address { try await checkRoom(address) }
  }

  func greet(_ conversation: PluginConversation, address: RoomAddress?) async -> Welcome? {
    guard case .welcome(let welcome)? = await hello(conversation, address) else { return nil }
    return welcome
  }

  /// Says hello.
  /// - Returns: `welcome` or `error`; nil when neither comes in time.
  private func hello(
    _ conversation: PluginConversation, _ address: RoomAddress?, versions: [Int64] = [1]
  ) async -> Answer? {
    await conversation.say(
      .hello(
        Hello(
          versions: versions, client: client, address: address?.text,
          profile: Profile(id: "check", name: "check"), settings: settings)))
    return await conversation.answer {
      switch $0 {
      case .welcome, .error: true
      default: false
      }
    }
  }

  @discardableResult
  func tell(_ promise: String, _ isKept: Bool, otherwise: String) -> Bool {
    report(Finding(promise: promise, outcome: isKept ? .kept : .broken(otherwise)))
    return isKept
  }

  func tellNotOffered(_ promise: String) {
    report(Finding(promise: promise, outcome: .notOffered))
  }

  // MARK: - Without a room

  private func checkManners() async throws(TransportError) {
    let conversation = try await conversation()
    let welcome = await greet(conversation, address: nil)
    let silence = await conversation.silence("no welcome came in time")
    tell(
      "answers hello with welcome of version 1", welcome?.version == LineProtocol.version,
      otherwise: welcome.map { "it says version \($0.version)" } ?? silence)
    tell(
      "prints nothing but the protocol", await conversation.junk.isEmpty,
      otherwise: "it printed: \(await conversation.junk.first ?? "")")
    await conversation.say(#"{"type":"ping","ref":"p1","later":{"a":[1]}}"#)
    let pong = await conversation.answer { if case .pong("p1") = $0 { true } else { false } }
    tell(
      "answers ping with pong, the same ref, and passes unknown fields over", pong != nil,
      otherwise: "no pong came in time")
    await conversation.say(#"{"type":"check-unknown","ref":"u1"}"#)
    let refusal = await conversation.answer { $0.error("u1") != nil }
    tell(
      "answers an unknown request with an error of class unsupported",
      refusal?.error("u1")?.errorClass == .unsupported,
      otherwise: refusal == nil ? "no answer came in time" : "another class")
    await conversation.say("no protocol")
    await conversation.say(#"{"type":"ping","ref":"p2"}"#)
    let second = await conversation.answer { if case .pong("p2") = $0 { true } else { false } }
    tell("lives on after a line that makes no sense", second != nil, otherwise: "it fell silent")
    await conversation.say(.bye)
    let bye = await conversation.answer {
      if case .bye = $0 { true } else { false }
    }
    tell("answers bye with bye", bye != nil, otherwise: "no bye came in time")
    await conversation.endWriting()
    tell(
      "ends after bye", await conversation.endsByItself(within: .seconds(5)),
      otherwise: "it was still there after 5 s")
  }

  private func checkVersions() async throws(TransportError) {
    let conversation = try await conversation()
    let answer = await hello(conversation, nil, versions: [9_999])
    var otherwise = "no answer came in time"
    if case .welcome? = answer { otherwise = "it said welcome" }
    if case .error? = answer { otherwise = "another class" }
    let refusal: ProtocolError? = if case .error(_, let error)? = answer { error } else { nil }
    tell(
      "answers a host whose versions it does not know with an error of class unsupported",
      refusal?.errorClass == .unsupported, otherwise: otherwise)
    await conversation.endWriting()
    _ = await conversation.endsByItself(within: .seconds(2))
  }

  private func checkEndOfInput() async throws(TransportError) {
    let conversation = try await conversation()
    _ = await greet(conversation, address: nil)
    await conversation.endWriting()
    tell(
      "ends by itself when its input ends", await conversation.endsByItself(within: .seconds(5)),
      otherwise: "it was still there after 5 s")
  }
}

extension Answer {
  /// The error that answers a request.
  func error(_ ref: String) -> ProtocolError? {
    if case .error(ref, let error) = self { error } else { nil }
  }
}
