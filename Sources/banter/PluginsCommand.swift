internal import ChatModel
internal import ChatSession
internal import Glibc
internal import TerminalText
internal import Transport

/// `banter plugins`: what plugins there are, and whether they keep to the
/// protocol.
@MainActor
struct PluginsCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  private var language: Language { invocation.language }

  // MARK: - The list

  func list() async throws -> Int32 {
    guard invocation.words.isEmpty else {
      throw UsageError(
        "\(invocation.words[0]) is too much; to try a plugin: banter plugins check NAME",
        "\(invocation.words[0]) 말은 쓸 수 없습니다. 시험은 banter plugins check NAME")
    }
    let programs = invocation.plugins.folders.all()
    if programs.isEmpty {
      Banter.complain(
        language(
          "there are no plugins; a plugin is a program banter-SCHEME in $BANTER_PLUGIN_PATH, \(invocation.folders.data)/plugins or beside banter",
          "플러그인이 없습니다. 플러그인은 $BANTER_PLUGIN_PATH, \(invocation.folders.data)/plugins 또는 banter 옆에 있는 banter-SCHEME 프로그램입니다"
        ))
    }
    var listed: Set<String> = []
    for program in programs {
      let isUsed = listed.insert(program.scheme).inserted
      let text =
        isUsed
        ? await description(of: program) : language("not used: the one above is", "쓰지 않음: 위의 것을 씀")
      try Output.standard.write(
        Output.standard.inert("\(program.scheme)://  \(program.path)  \(text)") + "\n")
    }
    return EX_OK
  }

  private func description(of program: PluginProgram) async -> String {
    guard program.isExecutable else {
      return language(
        "may not be run; chmod +x it, if it is to be trusted", "실행할 수 없음. 믿는다면 chmod +x")
    }
    do throws(TransportError) {
      guard let welcome = try await check(program, report: { _ in }).greeting() else {
        return language(
          "does not answer; see banter plugins check \(program.scheme)",
          "대답이 없음. banter plugins check \(program.scheme)")
      }
      return "\(welcome.server)  \(abilities(welcome.capabilities))"
    } catch {
      return language(error.text)
    }
  }

  private func abilities(_ capabilities: Capabilities) -> String {
    let all = [
      ("history", capabilities.history != .none), ("dedupe", capabilities.removesDuplicates),
      ("echo", capabilities.echo != .none), ("multiline", capabilities.multiline),
      ("images", capabilities.images), ("edits", capabilities.edits),
      ("deletes", capabilities.deletions), ("reactions", capabilities.reactions),
      ("replies", capabilities.replies), ("presence", capabilities.presence),
      ("typing", capabilities.typing),
    ]
    return all.filter(\.1).map(\.0).joined(separator: ",")
  }

  // MARK: - The check

  func check() async throws -> Int32 {
    guard (1...2).contains(invocation.words.count) else {
      throw UsageError(
        "name a plugin, and the address of a room that may be written to: banter plugins check irc irc://localhost/%23test",
        "플러그인과, 글을 써도 되는 방의 주소를 쓰세요: banter plugins check irc irc://localhost/%23test")
    }
    let program = try program(invocation.words[0])
    let address = try invocation.words.dropFirst().first.map(Invocation.room)
    let tally = PluginTally(language)
    let check = check(program, address) { finding in tally.note(finding) }
    do throws(TransportError) {
      try await check.run(address: address)
    } catch {
      Banter.complain(language(error.text))
      return EX_UNAVAILABLE
    }
    return tally.brokenCount == 0 ? EX_OK : EX_PROTOCOL
  }

  /// A plugin by its scheme, or by the path of its program.
  private func program(_ name: String) throws -> PluginProgram {
    if name.utf8.contains(UInt8(ascii: "/")) {
      let program = PluginProgram(scheme: "check", path: Path.absolute(name))
      if access(program.path, F_OK) == 0 { return program }
    } else if let program = invocation.plugins.program(for: name) {
      return program
    }
    throw ExitError(
      status: EX_NOINPUT,
      text: LocalizedText(
        "\(name): there is no such plugin; banter plugins lists those that are there",
        "\(name): 그런 플러그인이 없습니다. banter plugins로 볼 수 있습니다"))
  }

  private func check(
    _ program: PluginProgram, _ address: RoomAddress? = nil,
    report: @escaping @Sendable (PluginCheck.Finding) -> Void
  ) -> PluginCheck {
    var questioner: PluginQuestioner?
    if case .remote(_, let authority, _)? = address?.place {
      questioner = invocation.pluginQuestioner(authority, nil)
    }
    return PluginCheck(
      program, environment: invocation.environment, client: "banter \(Banter.version)",
      settings: invocation.settings.plugins[program.name] ?? [:], questioner: questioner,
      report: report)
  }
}
