import CReadline

extension LinePrompt {
  /// Shows rows above the prompt, as one batch: the prompt is cleared once,
  /// the rows are written, the prompt is drawn once. A row must be no wider
  /// than the window and have no line ends; it may have SGR sequences. While
  /// the terminal is lent, rows wait.
  package func show(_ rows: [String]) {
    guard holdsTerminal() else {
      if isReleased { heldRows += rows }
      return
    }
    var bytes = painter.erase()
    for row in rows {
      bytes += row.utf8
      bytes += [0x0D, 0x0A]
    }
    bytes += frameBytes()
    write(bytes)
  }

  /// Takes the prompt off the screen until the next key. What is typed stays.
  package func hideLine() {
    guard holdsTerminal() else { return }
    isHidden = true
    write(painter.erase())
  }

  /// Clears the window, with the prompt in its top row (on a dumb terminal:
  /// in a new row).
  package func clearScreen() {
    guard holdsTerminal() else { return }
    if isPlain {
      write(painter.erase())
    } else {
      write(Array("\u{1B}[H\u{1B}[2J".utf8))
      painter.forget()
    }
    redraw()
  }

  /// Rings the bell.
  package func ring() { if !isAside { write([0x07]) } }

  /// Brings the screen up to date: writes what differs, often nothing.
  func redraw() {
    guard holdsTerminal() else { return }
    write(frameBytes())
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isTerminalGone else { return }
    if !device.write(bytes) { isTerminalGone = true }
  }

  private func frameBytes() -> [UInt8] {
    installPromptIfPossible()
    guard !isHidden else { return [] }
    let glyphs = Glyphs(measure: configuration.measure, isPlain: isPlain)
    let layout = LineLayout(columns: columns, rows: rows, glyphs: glyphs)
    if let line = question?.line {
      return painter.draw(
        layout.frame(
          prompt: PromptText(glyphs: glyphs).cells(line.prompt), line: line.shown,
          point: line.shown.count, offset: painter.offset))
    }
    return painter.draw(
      layout.frame(
        prompt: PromptText(glyphs: glyphs).cells(displayPrompt), line: Readline.lineBytes,
        point: Int(rl_point), offset: painter.offset))
  }

  /// What stands before the line: readline's prompt of the moment, unless a
  /// paste swallows the keys.
  private var displayPrompt: String {
    guard !isPasteUnfinished else { return configuration.words.unfinishedPaste }
    let display = rl_display_prompt.map { String(cString: $0) } ?? ""
    return rl_display_prompt == rl_prompt ? withMode(display) : display
  }

  /// Gives readline a new prompt, unless a search or a numeric argument shows
  /// its own in the prompt's place: it would be lost.
  func installPromptIfPossible() {
    guard prompt != installedPrompt, rl_display_prompt == rl_prompt else { return }
    installedPrompt = prompt
    rl_set_prompt(prompt)
  }

  /// The prompt with the mode before its last line, as readline shows it with
  /// `show-mode-in-prompt`.
  private func withMode(_ prompt: String) -> String {
    guard Readline.variable("show-mode-in-prompt") == "on" else { return prompt }
    let name =
      rl_editing_mode == 1
      ? "emacs-mode-string"
      : Readline.isViCommandMode ? "vi-cmd-mode-string" : "vi-ins-mode-string"
    let mode = Readline.variable(name) ?? ""
    guard let newline = prompt.lastIndex(of: "\n") else { return mode + prompt }
    return prompt[...newline] + mode + prompt[prompt.index(after: newline)...]
  }
}
