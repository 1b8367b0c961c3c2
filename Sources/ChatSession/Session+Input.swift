internal import ChatModel
internal import LinePrompt
internal import TerminalText
internal import Transport

/// What the user does at the prompt.
extension Session {
  /// Listens to the prompt.
  func connectSurface() {
    var events = LinePrompt.Events()
    events.onLine = { [weak self] in self?.enter($0) }
    events.onInterruptOnEmptyLine = { [weak self] in
      guard let self else { return }
      say(language("/quit or Ctrl-D leaves", "/quit 또는 Ctrl-D로 나갑니다"))
    }
    events.onEndOfInput = { [weak self] in
      guard let self else { return }
      leave(rooms)
    }
    events.onEditorRequested = { [weak self] in self?.editLine() }
    events.onHideRequested = { [weak self] in self?.surface.hideLine() }
    events.onNextRoom = { [weak self] in self?.turnToNextRoom() }
    events.onReply = { [weak self] in self?.pictures.take($0) }
    events.onResize = { [weak self] columns, _ in self?.resize(to: columns) }
    events.onLineChanged = { [weak self] in self?.lineDidChange() }
    events.onPaste = { [weak self] in self?.pasted($0) }
    surface.events = events
    surface.completer = { [weak self] in self?.complete($0) ?? CompletionReply() }
  }

  /// Takes an entered line: a message, or a command.
  package func enter(_ line: String) {
    // Who has left types for the shell, and nobody else; it stays a draft.
    guard !isOver else { return surface.replaceLine(line) }
    surface.addHistory(withoutKey(line))
    releaseHeld()
    enter(line, aliasDepth: 0)
    // What was entered is no draft any more.
    keepDraft()
  }

  private func enter(_ line: String, aliasDepth: Int) {
    switch InputLine(line) {
    case .empty:
      break
    case .message(let text):
      guard !asksFirst(line, text, in: current) else { return }
      submit(.message(makeMessage(text, in: current)), to: current)
    case .indentedCommand:
      returnLine(
        line,
        language(
          "a command begins at the line's start; // at its start sends a /",
          "명령은 줄 맨 앞에서 시작합니다. /로 시작하는 말은 //로 쓰세요"))
    case .splitCommand:
      returnLine(
        line,
        language(
          "a command and what follows it begin on one line; // at the start sends a /",
          "명령과 그 내용은 한 줄에서 시작합니다. /로 시작하는 말은 //로 쓰세요"))
    case .command(let name, let arguments):
      runCommand(name, arguments, line, aliasDepth)
    }
  }

  private func runCommand(_ name: String, _ arguments: String, _ line: String, _ aliasDepth: Int) {
    if let alias = settings.aliases[name], aliasDepth < 10 {
      return enter(arguments.isEmpty ? alias : "\(alias) \(arguments)", aliasDepth: aliasDepth + 1)
    }
    guard let command = Command.named(name) else {
      if let command = current.commands.first(where: { $0.name == name }) {
        return perform(command, arguments, line, in: current)
      }
      return returnLine(line, unknown(name))
    }
    do {
      try command.run(self, arguments)
    } catch {
      returnLine(line, error.description)
    }
  }

  private func unknown(_ name: String) -> String {
    let nearest = Command.nearest(to: name, besides: current.commands.map(\.name))
    let hint = nearest.map { language(" Did you mean /\($0)?", " 혹시 /\($0)?") } ?? ""
    let name = name.prefix(40)
    return language(
      "there is no command /\(name).\(hint) A message that begins with / is written with //",
      "/\(name) 명령은 없습니다.\(hint) /로 시작하는 말은 //로 쓰세요")
  }

  /// Gives a line back for editing, and says why. What has been typed
  /// meanwhile stays; the line is then to be had from the history.
  func returnLine(_ line: String, _ reason: String, to room: JoinedRoom? = nil) {
    say(reason)
    put(line, into: room ?? current)
  }

  /// Puts a text where one types in a room, unless something is there.
  func put(_ text: String, into room: JoinedRoom) {
    if room === current {
      if surface.line.isEmpty { surface.replaceLine(text) }
    } else if room.draft.isEmpty {
      room.draft = text
      room.log?.note(draft: text)
    }
  }

  private func resize(to columns: Int) {
    transcript.options.columns = columns
    nameRooms()
    updatePrompt()
  }

  /// An empty line again: what waited for it can be shown.
  private func lineDidChange() {
    typedAt = .now
    if surface.line.isEmpty { releaseHeld() }
    if surface.line.hasPrefix("/join ") { askForSiblings() }
    keepDraft()
  }

  private func pasted(_ paste: LinePrompt.Paste) {
    if paste.isCut {
      say(language("the paste was too large; its end is missing", "붙여넣기가 너무 커서 끝이 잘렸습니다"))
    } else if paste.isWholeLine, current.transport.files != nil,
      DroppedFiles.isPossible(paste.text)
    {
      let line = surface.line
      run { [self] in
        let dropped = await DroppedFiles.find(paste.text)
        // Who types on meanwhile has the line as it is.
        guard !Task.isCancelled, surface.line == line else { return }
        if let dropped { take(dropped) } else { tell(of: paste) }
      }
    } else {
      tell(of: paste)
    }
  }

  private func tell(of paste: LinePrompt.Paste) {
    if paste.lineCount > 1 { say(pasteText(paste)) }
  }

  /// Makes a command of files that were dropped on the terminal, which is not
  /// entered: one undo brings back what was pasted.
  private func take(_ dropped: DroppedFiles) {
    surface.replaceLine(dropped.command)
    let count = dropped.paths.count
    say(
      language(
        "Enter sends \(counted(count, "file")), with what follows -- as a caption; "
          + "undo brings the pasted text back",
        "Enter로 파일 \(count)개를 보냅니다. -- 뒤에 설명을 쓸 수 있고, 실행 취소하면 붙인 글로 돌아갑니다"))
  }

  private func complete(_ request: CompletionRequest) -> CompletionReply {
    completer.complete(String(decoding: request.line.utf8.prefix(request.cursor), as: UTF8.self))
  }

  private var completer: Completer {
    Completer(
      commands: Command.all, aliases: Array(settings.aliases.keys),
      farCommands: current.commands.map(\.name),
      profiles: knownProfiles(in: current), rooms: { [self] in roomChoices },
      openRooms: { [self] in rooms.map { $0.label ?? $0.name } },
      files: { FileNames.matching($0) },
      messageNumbers: { [numbers] in Array(numbers.newestFirst.prefix(100)) })
  }
}
