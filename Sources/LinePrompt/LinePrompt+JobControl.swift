import CReadline
import Dispatch
import Glibc

/// Stopping, and standing aside while the shell or another of its jobs has the
/// terminal (termios(3) and credentials(7): foreground and background).
extension LinePrompt {
  /// Attempts to stop after which it is clear that nothing stops the program.
  private static let attemptLimit = 10

  /// Whether the terminal may be written to and its settings changed. Where it
  /// has become somebody else's, the prompt stands aside.
  func holdsTerminal() -> Bool {
    guard isRunning, !isReleased else { return false }
    guard device.isInBackground else { return true }
    standAside()
    return false
  }

  /// Leaves the terminal alone, and stops the program, until it is in the
  /// foreground.
  func standAside() {
    guard isRunning, !isAside, !isTerminalGone else { return }
    if !isReleased { inputSource?.suspend() }
    isReleased = true
    isAside = true
    stopAttempts = 0
    TerminalRescue.forget()
    scheduleAttempt()
  }

  /// The main queue has its turn between two attempts: a request to end comes
  /// with SIGCONT, and must be heard in the background.
  private func scheduleAttempt() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
      MainActor.assumeIsolated { self?.tryToComeForward() }
    }
  }

  /// Takes the terminal if it can be had; else stops, as the kernel stops who
  /// reads in the background. It stops nobody whom no shell would continue
  /// (setpgid(2): orphaned process groups); for them the terminal is gone.
  private func tryToComeForward() {
    guard isRunning, isAside else { return }
    guard device.isInBackground else { return comeForward() }
    guard stopAttempts < Self.attemptLimit else {
      return giveUp()
    }
    stopAttempts += 1
    Self.stopProcess(by: SIGTTIN)
    scheduleAttempt()
  }

  /// The terminal is somebody else's for good: nothing waits for it any more.
  private func giveUp() {
    isAside = false
    isReleased = false
    isTerminalGone = true
    heldRows = []
    // A source must not be let go of while it is suspended.
    inputSource?.resume()
    terminalIsGone()
  }

  private func comeForward() {
    isAside = false
    rl_deprep_terminal()
    reclaim()
    guard isRunning, !isAside else { return }
    events.onContinue()
  }

  /// Ctrl-Z: stops as the shell expects, with the terminal put back, and comes
  /// back whole. SIGCONT, if it did stop, tells that afterwards.
  func suspend() {
    // A program that the terminal is lent to has stopped as well.
    guard !isReleased else { return Self.stopProcess(by: SIGTSTP) }
    write(painter.erase())
    restoreTerminal()
    Self.stopProcess(by: SIGTSTP)
    guard !device.isInBackground else { return standAside() }
    prepareTerminal()
    comeBack()
  }

  /// SIGCONT: whoever stopped the program may have left the terminal in any
  /// state.
  func continueAfterStop() {
    stopAttempts = 0
    if isAside { return device.isInBackground ? () : comeForward() }
    guard holdsTerminal() else { return }
    // The shell reads whole lines, or has put back how it found the terminal.
    if device.readsLines { painter.forget() }
    rl_deprep_terminal()
    prepareTerminal()
    comeBack()
    events.onContinue()
  }

  private func comeBack() {
    if readSize() { events.onResize(columns, rows) }
    // Something may have been read while the terminal was put back.
    pump()
  }

  /// Stops as `number` does by default; returns when the program is continued,
  /// or at once where the kernel does not stop it.
  private static func stopProcess(by number: Int32) {
    // Dispatch has a handler of its own, which must be there again afterwards.
    var handler = sigaction()
    sigaction(number, nil, &handler)
    signal(number, SIG_DFL)
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, number)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    pthread_kill(pthread_self(), number)
    pthread_sigmask(SIG_SETMASK, &before, nil)
    sigaction(number, &handler, nil)
  }
}
