internal import Glibc
internal import Processes
internal import TerminalText

/// Lending the terminal to the user's own programs.
extension Session {
  /// Lends the terminal to a program and waits for its end; what arrives
  /// meanwhile waits.
  private func lendTerminal(
    _ program: UserProgram, _ arguments: [String], input: ChildProcess.Stream = .inherited,
    whileRunning: () async -> Void = {}
  ) async throws(ChildProcessError) -> Int32 {
    surface.release()
    isLent = true
    defer {
      isLent = false
      surface.reclaim()
      releaseHeld()
      admitQuestion()
      lendingWaiter?.resume()
      lendingWaiter = nil
    }
    let child = try ChildProcess(
      program.argv(arguments), environment: program.environmentForRun,
      input: input)
    return await child.waitUntilExit(whileRunning: whileRunning)
  }

  /// Returns when no other program has the terminal, and what it leaves has
  /// been taken.
  func waitUntilReclaimed() async {
    guard isLent else { return }
    await withCheckedContinuation { lendingWaiter = $0 }
  }

  /// Opens the typed line in `$VISUAL` or `$EDITOR`; it comes back changed.
  func editLine() {
    guard !isLent else { return }
    let (room, line) = (current, surface.line)
    guard let editor = UserProgram.editor(parts.environment) else {
      return say(
        language("no editor: set EDITOR to one", "편집기가 없습니다. EDITOR를 지정하세요"))
    }
    run { [self] in
      do {
        let folder = parts.environment["TMPDIR"] ?? ""
        let draft = try DraftFile(line, in: folder.isEmpty ? "/tmp" : folder)
        defer { draft.remove() }
        let status = try await lendTerminal(editor, [draft.path])
        // What was saved before the editor had to end counts.
        guard status == 0 || Task.isCancelled else {
          return returnLine(
            line,
            language(
              "\(editor.command) ended with status \(status)", "\(editor.command) 종료 상태 \(status)"),
            to: room)
        }
        let text = try draft.read()
        if room === current { surface.replaceLine(text) } else { room.draft = text }
      } catch let error as ChildProcessError {
        returnLine(line, text(of: error), to: room)
      } catch {
        returnLine(line, "\(error)", to: room)
      }
    }
  }

  /// Shows rows in `$PAGER`, from their beginning or at their end.
  func page(_ rows: [String], atEnd: Bool) async {
    guard transcript.options.style != .plain, !isLent,
      let pager = UserProgram.pager(parts.environment)
    else { return show(rows, messages: 0) }
    guard let pipe = Pipe() else {
      return say(language("too many files are open", "열린 파일이 너무 많습니다"))
    }
    let bytes = Array((rows.joined(separator: "\n") + "\n").utf8)
    do throws(ChildProcessError) {
      let status = try await lendTerminal(
        pager, pager.isLess && atEnd ? ["+G"] : [], input: .descriptor(pipe.readEnd)
      ) {
        pipe.closeReadEnd()
        await pipe.feed(bytes)
      }
      if UserProgram.isNotRun(status) {
        show(rows, messages: 0)
        say(language("\(pager.command) cannot be started", "\(pager.command) 실행할 수 없음"))
      }
    } catch {
      pipe.closeReadEnd()
      pipe.closeWriteEnd()
      show(rows, messages: 0)
      say(text(of: error))
    }
  }

  private func text(of error: ChildProcessError) -> String {
    language("\(error)", "\(error.program) 실행할 수 없음: \(error.reason)")
  }
}
