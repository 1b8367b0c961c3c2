import CReadline
import Dispatch
import Glibc

extension LinePrompt {
  /// Asks readline, before any prompt has started, whether `TERM` names a
  /// terminal that no escape sequence may be written to: a dumb one, one that
  /// nothing is known about, or none.
  package static func askWhetherTerminalIsDumb() -> Bool { TerminalKind.lookUp().isDumb }

  /// Takes the terminal and shows the prompt. The cursor must stand at the
  /// start of a row.
  package func start() {
    guard !isRunning else { return }
    Self.active = self
    useUTF8()
    installHooks()
    let kind = configuration.isPlain ? .dumb : TerminalKind.lookUp()
    kind.use()
    isPlain = kind.isDumb
    renameCommands()
    rl_initialize()
    // The terminal's erase character deletes a cluster, as Backspace does:
    // readline must not bind it to a command of its own each time.
    rl_variable_bind("bind-tty-special-chars", "off")
    // Not earlier, or readline would not ask terminfo.
    rl_redisplay_function = { LinePrompt.active?.takeMacro() }
    painter = FramePainter(isPlain: isPlain)
    if isPlain { rl_variable_bind("enable-bracketed-paste", "off") }
    guessesPastes = Readline.variable("enable-bracketed-paste") != "on" || hasUnmarkedPastes
    installCommands()
    loadHistory()
    (columns, rows) = device.size
    isRunning = true
    installedPrompt = prompt
    if !device.isInBackground { prepareTerminal() }
    rl_callback_handler_install(prompt) { line in LinePrompt.active?.accept(line) }
    installSources()
    redraw()
    // A source on what is no terminal (/dev/null) would never fire.
    guard isatty(device.input) == 0 else { return }
    DispatchQueue.main.async { [weak self] in
      MainActor.assumeIsolated { self?.terminalIsGone() }
    }
  }

  /// Takes the prompt off the screen and puts the terminal back as it was.
  /// Does nothing when it has been done.
  package func stop() {
    guard isRunning else { return }
    if holdsTerminal() {
      write(painter.erase())
      restoreTerminal()
    }
    // A source must not be let go of while it is suspended.
    if isReleased { inputSource?.resume() }
    isRunning = false
    isReleased = false
    isAside = false
    inputSource?.cancel()
    settleTimer?.cancel()
    sources.forEach { $0.cancel() }
    (inputSource, settleTimer, sources) = (nil, nil, [])
    restoreSignals()
    queue.removeAll()
    closeQuestion(nil)
    rl_callback_handler_remove()
    if Self.active === self { Self.active = nil }
    historyWriter?.finish()
  }

  /// Lends the terminal to another program, `$EDITOR` or `$PAGER`: the prompt
  /// disappears, the terminal is as it was before `start()`, keys are not read.
  /// The typed line is kept; rows to be shown wait.
  package func release() {
    guard holdsTerminal() else {
      // From the background it is the program, not the shell, that has it
      // until `reclaim()`: no attempt may take it meanwhile.
      isAside = false
      return
    }
    write(painter.erase())
    restoreTerminal()
    inputSource?.suspend()
    isReleased = true
  }

  /// Takes the terminal back, shows what waited, and goes on; in the
  /// background once it is the program's again.
  package func reclaim() {
    guard isRunning, isReleased, !isAside else { return }
    guard !device.isInBackground else { return standAside() }
    isReleased = false
    prepareTerminal()
    inputSource?.resume()
    let isResized = readSize()
    painter.forget()
    let waiting = heldRows
    heldRows = []
    if isResized { events.onResize(columns, rows) }
    holdKeys(for: .seconds(0))
    show(waiting)
  }

  /// readline and the C library must take the terminal's bytes for UTF-8.
  private func useUTF8() {
    setlocale(LC_ALL, "")
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
    guard codeset != "UTF-8" else { return }
    // readline reads the environment again for each line, and would take the
    // bytes of Korean for Meta keys where that says C.
    setenv("LC_ALL", "C.UTF-8", 1)
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  /// Terminals that have no bracketed paste.
  private var hasUnmarkedPastes: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    return name.hasPrefix("linux") || name.hasPrefix("vt")
  }

  private func installHooks() {
    rl_readline_name = TerminalKind.lasting(configuration.applicationName)
    rl_catch_signals = 0
    rl_catch_sigwinch = 0
    if rl_instream == nil || fileno(rl_instream) != device.input {
      rl_instream = fdopen(fcntl(device.input, F_DUPFD_CLOEXEC, 3), "r")
    }
    // readline edits, it never draws: whatever it would write goes nowhere.
    // (The bell goes to stderr.)
    if rl_outstream == nil { rl_outstream = fopen("/dev/null", "we") }
    rl_getc_function = { _ in LinePrompt.active?.nextByte() ?? EOF }
    rl_input_available_hook = { LinePrompt.active?.hasKeyAvailable() == true ? 1 : 0 }
    // The terminal stays prepared from one line to the next.
    rl_prep_term_function = { _ in }
    rl_deprep_term_function = {}
  }

  /// The terminal gives each key as it is typed (termios(3)); readline knows
  /// how, and turns on bracketed paste unless inputrc forbids it.
  func prepareTerminal() {
    let closing = isPlain ? "" : "\u{1B}[?2004l\r"
    TerminalRescue.remember(device, closing: Array(closing.utf8))
    rl_prep_terminal(1)
    // Ctrl-S searches; it does not stop the terminal.
    var settings = termios()
    if tcgetattr(device.input, &settings) == 0 {
      settings.c_iflag &= ~tcflag_t(IXON)
      tcsetattr(device.input, TCSADRAIN, &settings)
    }
    if Readline.variable("enable-bracketed-paste") == "on" {
      write(Array("\u{1B}[?2004h".utf8))
    }
    isTypedAhead = device.hasInput(within: 0)
  }

  /// Puts the terminal back as it was, once it has answered what it was asked.
  func restoreTerminal() {
    awaitReplies()
    if Readline.variable("enable-bracketed-paste") == "on" {
      write(Array("\u{1B}[?2004l\r".utf8))
    }
    rl_deprep_terminal()
    TerminalRescue.forget()
  }

  /// readline's line handler: the line is done, or (nil) it was Ctrl-D on an
  /// empty one. It is told later, when readline has finished with it.
  private func accept(_ line: UnsafeMutablePointer<CChar>?) {
    write(painter.erase())
    guard let line else {
      hasReachedEnd = true
      return
    }
    acceptedLines.append(String(cString: line))
    free(line)
  }
}
