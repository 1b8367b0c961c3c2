import CReadline
import Dispatch
import Glibc

extension LinePrompt {
  private static let signals = [SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

  func installSources() {
    let input = DispatchSource.makeReadSource(fileDescriptor: device.input, queue: .main)
    input.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.terminalIsReadable() }
    }
    input.activate()
    inputSource = input
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.settle() } }
    timer.schedule(deadline: .distantFuture)
    timer.activate()
    settleTimer = timer
    for number in Self.signals {
      if [SIGINT, SIGQUIT, SIGTSTP].contains(number) { signal(number, SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated { self?.handle(signal: number) }
      }
      source.activate()
      sources.append(source)
    }
  }

  func restoreSignals() {
    signal(SIGINT, SIG_DFL)
    signal(SIGTSTP, SIG_DFL)
    signal(SIGQUIT, SIG_DFL)
  }

  /// Ctrl-\: ends the program at once, as everywhere, but puts the terminal
  /// back first.
  private func quit() {
    stop()
    kill(getpid(), SIGQUIT)
  }

  private func handle(signal number: Int32) {
    guard isRunning else { return }
    switch number {
    case SIGINT: interrupt()
    case SIGQUIT: quit()
    case SIGTSTP: suspend()
    case SIGCONT: continueAfterStop()
    default: resize()
    }
  }

  /// Ctrl-C: ends what readline has in progress; else empties the line, as an
  /// edit that undo takes back; else it is told.
  func interrupt() {
    guard !isReleased else { return }
    isHidden = false
    if splitter.isPasting {
      splitter.abandonPaste()
    } else if Readline.isSearching || Readline.isPending {
      cancelPendingState()
    } else if rl_end > 0 {
      cancelPendingState()
      Readline.replaceLine("")
      if rl_editing_mode == 0 { rl_vi_insertion_mode(1, 0) }
      using_history()
    } else {
      cancelPendingState()
      events.onInterruptOnEmptyLine()
    }
    redraw()
    reportChange()
  }

  /// Ends a search as Ctrl-G does, with the typed line back; and any other
  /// command that waits for more keys.
  func cancelPendingState() {
    if Readline.isSearching {
      queue.prepend([0x07])
      Readline.withoutBell { rl_callback_read_char() }
    }
    let isOwnPrompt = rl_display_prompt == rl_prompt
    rl_free_line_state()
    rl_callback_sigcleanup()
    if !isOwnPrompt {
      rl_restore_prompt()
      installedPrompt = prompt
      rl_set_prompt(prompt)
    }
  }

  /// Ctrl-Z: stops as the shell expects, with the terminal put back, and comes
  /// back whole. Where no shell would ever continue the program, the kernel
  /// does not stop it (signal(7), setpgid(2): orphaned process groups).
  private func suspend() {
    // A program that the terminal is lent to has stopped as well.
    guard !isReleased else { return Self.stopProcess() }
    write(painter.erase())
    restoreTerminal()
    Self.stopProcess()
    prepareTerminal()
    comeBack()
  }

  /// Stops as SIGTSTP does by default; returns when the program is continued.
  private static func stopProcess() {
    // Dispatch has a handler of its own, which must be there again afterwards.
    var handler = sigaction()
    sigaction(SIGTSTP, nil, &handler)
    signal(SIGTSTP, SIG_DFL)
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    pthread_kill(pthread_self(), SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(SIGTSTP, &handler, nil)
  }

  /// SIGCONT: whoever stopped the program may have left the terminal in any
  /// state.
  private func continueAfterStop() {
    guard !isReleased else { return }
    rl_deprep_terminal()
    prepareTerminal()
    comeBack()
  }

  private func comeBack() {
    isFirstRead = true
    if readSize() { events.onResize(columns, rows) }
    redraw()
    events.onContinue()
  }

  /// SIGWINCH: draws the prompt anew for the window's new size.
  private func resize() {
    guard readSize() else { return }
    if !isReleased {
      let bytes = painter.eraseAfterResize(
        columns: columns, rows: rows, reflows: Self.terminalReflows)
      write(bytes)
    }
    events.onResize(columns, rows)
    redraw()
  }

  /// Reads the window's size; whether it has changed.
  @discardableResult
  func readSize() -> Bool {
    let old = (columns, rows)
    (columns, rows) = device.size
    rl_set_screen_size(Int32(rows), Int32(columns))
    return old != (columns, rows)
  }

  /// Whether the terminal is known to break rows anew when it gets narrower.
  /// Where that is not known, rows are never cleared on a guess: they might be
  /// messages.
  private static var terminalReflows: Bool {
    let names = [
      "TMUX", "VTE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID",
      "KONSOLE_VERSION", "GHOSTTY_RESOURCES_DIR",
    ]
    return names.contains { getenv($0) != nil }
  }
}
