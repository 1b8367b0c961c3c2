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
    sources += EndWatch.start([SIGQUIT])
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
    EndWatch.quit()
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

  /// Ctrl-C: takes a paste whose end does not come for ended; else ends what
  /// readline has in progress; else empties the line, as an edit that undo
  /// takes back; else it is told.
  func interrupt() {
    guard !isReleased else { return }
    isHidden = false
    if splitter.isPasting {
      queue.append(splitter.endPaste())
      forgetUnfinishedPaste()
      return pump()
    } else if question != nil {
      return closeQuestion(nil)
    } else if Readline.isSearching || isCommandPending {
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

  /// Whether a command waits for the rest of its keys.
  var isCommandPending: Bool { Readline.isPending || clustersToReplace != nil }

  /// Ends a search as Ctrl-G does, with the typed line back; and any other
  /// command that waits for more keys.
  func cancelPendingState() {
    clustersToReplace = nil
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
