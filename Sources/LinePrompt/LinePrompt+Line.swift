import CReadline
import Glibc

extension LinePrompt {
  /// The typed line; during a history search, the line as it was before.
  package var line: String {
    guard isRunning else { return "" }
    return Readline.isSearching ? typed.line : Readline.line
  }

  /// Puts `text` in place of the typed line, with the cursor at its end. Undo
  /// brings the old line back; a search or command in progress ends.
  package func replaceLine(_ text: String) {
    guard isRunning else { return }
    if Readline.isSearching || isCommandPending { cancelPendingState() }
    Readline.replaceLine(text)
    if Readline.isViCommandMode { rl_vi_insertion_mode(1, 0) }
    redraw()
  }

  /// Adds an entry to the history, here and in its file. Entries equal to the
  /// one before, and empty ones, are left out. What must not be kept, such as
  /// a secret, is simply not given to this method.
  package func addHistory(_ entry: String) {
    guard !entry.isEmpty, configuration.historyLimit > 0 else { return }
    if let last = history_get(history_base + history_length - 1)?.pointee.line,
      String(cString: last) == entry
    {
      return using_history()
    }
    add_history(entry)
    using_history()
    historyWriter?.append(entry)
  }

  /// Reads the history of earlier runs.
  func loadHistory() {
    clear_history()
    stifle_history(Int32(clamping: configuration.historyLimit))
    historyFile?.load().forEach { add_history($0) }
    using_history()
  }
}
