import CReadline
import Dispatch

extension LinePrompt {
  /// Most bytes that are read in one turn of the main queue.
  private static let readLimit = 1 << 18

  /// The terminal can be read.
  func terminalIsReadable() {
    guard holdsTerminal() else { return }
    guard readTerminal() else {
      return device.isInBackground ? standAside() : terminalIsGone()
    }
    pump()
    scheduleSettling()
  }

  /// Puts what the terminal has into the queue; false when it can be read no
  /// more.
  func readTerminal() -> Bool {
    guard let bytes = device.read(limit: Self.readLimit) else { return false }
    take(bytes)
    return true
  }

  /// Puts what was read into the queue.
  func take(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    settleEscapeOfVi(before: bytes)
    notePause()
    if isUnmarkedPaste(bytes) {
      let text = InputSplitter.pastedText(bytes)
      queue.append([.paste(text, isCut: false)])
    } else {
      let items = splitter.feed(bytes)
      noteReplies(in: items)
      queue.append(items)
    }
    isTypedAhead = false
    if !splitter.isPasting { forgetUnfinishedPaste() }
  }

  /// In vi mode ESC is a key of its own. What comes in a later read belongs to
  /// it only if it can be the rest of a function key.
  private func settleEscapeOfVi(before bytes: [UInt8]) {
    guard splitter.isHoldingEscape, rl_editing_mode == 0 else { return }
    guard bytes[0] != UInt8(ascii: "["), bytes[0] != UInt8(ascii: "O") else { return }
    queue.append(splitter.settle())
  }

  /// See `PasteGuess`. What was typed ahead of the prompt is no paste; what
  /// follows a guessed paste at once is the rest of it.
  private func isUnmarkedPaste(_ bytes: [UInt8]) -> Bool {
    guard guessesPastes, !isTypedAhead, !splitter.isPasting, !splitter.isHolding else {
      return false
    }
    let now = DispatchTime.now()
    let isRest = now.uptimeNanoseconds - lastPasteGuess.uptimeNanoseconds < 20_000_000
    let isText = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    guard PasteGuess.isPaste(bytes) || (isRest && isText && bytes.count > 1) else { return false }
    lastPasteGuess = now
    return true
  }

  /// Handles everything that waits, then draws once.
  func pump() {
    guard !isDispatching else { return }
    isDispatching = true
    while isRunning, !isReleased, !holdsKeys {
      if question != nil {
        guard let item = queue.first else { break }
        answer(item)
        // readline may have read a key too many and kept it for later.
      } else if rl_pending_input != 0 {
        readKey()
      } else if let item = queue.first {
        isHidden = false
        handle(item)
      } else {
        break
      }
      deliver()
    }
    isDispatching = false
    guard isRunning else { return }
    redraw()
    reportChange()
  }

  private func handle(_ item: InputSplitter.Item) {
    switch item {
    case .keys, .escape:
      if !replaceClusters() && !insertText() && !overwrite() && !endReplacing() { readKey() }
    case .paste(let text, let isCut):
      queue.popItem()
      insertPaste(text, isCut: isCut)
    case .reply(let bytes):
      queue.popItem()
      events.onReply(bytes)
    }
  }

  private func readKey() {
    let isText = queue.firstByte.map { $0 < 0x80 && Readline.inserts($0) } ?? false
    // A long line is not looked at again for each letter.
    if !isText { rememberTyped() }
    let point = rl_point
    Readline.readKey()
    takeMacro()
    endEndlessArgument()
    if !isText { snapPoint(from: point) }
  }

  /// readline, called back, forgets its own limit, and would insert a letter a
  /// thousand million times.
  private func endEndlessArgument() {
    guard Readline.has(RL_STATE_NUMERICARG), rl_numeric_arg > 1_000_000 else { return }
    cancelPendingState()
    ring()
  }

  /// Gives the key to vi's `r`, if that waits for one; a control character
  /// ends it.
  private func replaceClusters() -> Bool {
    guard let count = clustersToReplace, let key = queue.popCharacter() else { return false }
    clustersToReplace = nil
    if key[0] >= 0x20 {
      ViCommands.replaceClusters(count, by: String(decoding: key, as: UTF8.self))
    }
    return true
  }

  /// Inserts much text at once, as readline would letter by letter; its last
  /// character is left to readline, so that it knows what came before the next
  /// key.
  private func insertText() -> Bool {
    guard rl_insert_mode != 0, !Readline.has(RL_STATE_MACRODEF) else { return false }
    guard let text = queue.popText(atLeast: 64, where: Readline.inserts) else { return false }
    rl_insert_text(String(decoding: text, as: UTF8.self))
    return true
  }

  /// Types over the line with readline's `overwrite-mode`.
  private func overwrite() -> Bool {
    guard rl_insert_mode == 0, !Readline.has(RL_STATE_MACRODEF),
      let byte = queue.firstByte, Readline.inserts(byte), let key = queue.popCharacter()
    else { return false }
    overstrike.type(String(decoding: key, as: UTF8.self))
    return true
  }

  /// ESC alone ends vi's `R` at once; readline itself would wait for a key.
  private func endReplacing() -> Bool {
    guard queue.first == .escape, ViReplaceMode.isOn, !isCommandPending else { return false }
    queue.popItem()
    let point = rl_point
    _ = ViCommands.endInsertion(1, 0x1B)
    snapPoint(from: point)
    return true
  }

  /// Tells what readline has given out.
  private func deliver() {
    let lines = acceptedLines
    acceptedLines = []
    for line in lines where isRunning {
      lastReportedLine = ""
      events.onLine(line)
    }
    let requested = requests
    requests = []
    for request in requested {
      // What is typed behind it is for the line that comes back.
      if request == \.onEditorRequested { holdKeys(for: .milliseconds(100)) }
      events[keyPath: request]()
    }
    if hasReachedEnd {
      hasReachedEnd = false
      events.onEndOfInput()
    }
  }

  /// Lets keys wait until the owner, in one of its next turns, has lent the
  /// terminal or not, or has put what came back into the line.
  func holdKeys(for time: DispatchTimeInterval) {
    holdsKeys = true
    DispatchQueue.main.asyncAfter(deadline: .now() + time) { [weak self] in
      MainActor.assumeIsolated {
        self?.holdsKeys = false
        self?.pump()
      }
    }
  }

  func reportChange() {
    guard isRunning, !Readline.isSearching else { return }
    let line = Readline.line
    guard line != lastReportedLine else { return }
    lastReportedLine = line
    events.onLineChanged()
  }

  func rememberTyped() {
    guard !Readline.isSearching else { return }
    typed = (Readline.line, Int(rl_point))
  }

  /// readline moves by code point in some commands (vi's ESC, words): never
  /// leave the cursor inside a cluster.
  private func snapPoint(from old: Int32) {
    guard rl_point > 0, rl_point < rl_end, !Readline.isSearching else { return }
    let isASCII = Readline.lineBytes.allSatisfy { $0 < 0x80 }
    guard !isASCII else { return }
    let clusters = Clusters(Readline.line)
    guard !clusters.isBoundary(Int(rl_point)) else { return }
    let point = Int(rl_point)
    rl_point = Int32(rl_point > old ? clusters.after(point) : clusters.before(point))
  }

  /// A paste is literal text and one edit. A search takes it as what to look
  /// for; a pending command ends.
  private func insertPaste(_ text: String, isCut: Bool) {
    guard !Readline.isSearching else {
      let words = text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
      return queue.prepend(Array(String(words.prefix(1000)).utf8))
    }
    if isCommandPending { cancelPendingState() }
    let isWholeLine = rl_end == 0
    Readline.insert(text)
    events.onPaste(Paste(text: text, isCut: isCut, isWholeLine: isWholeLine))
  }

  /// The terminal has ended: told once; nothing is read any more.
  func terminalIsGone() {
    inputSource?.cancel()
    inputSource = nil
    guard !isInputAtEnd else { return }
    isInputAtEnd = true
    closeQuestion(nil)
    events.onEndOfInput()
  }

  /// Gives the start of a sequence up after `keyseq-timeout`, and tells of a
  /// paste that has not ended after a second.
  private func scheduleSettling() {
    if splitter.isPasting {
      guard !isPasteUnfinished else { return }
      pasteDeadline = pasteDeadline ?? .now() + .seconds(1)
    }
    settleTimer?.schedule(deadline: pasteDeadline ?? sequenceDeadline ?? .distantFuture)
  }

  func settle() {
    guard isRunning, !isReleased else { return }
    isPasteUnfinished = splitter.isPasting
    if isPasteUnfinished { isHidden = false }
    dropUnfinishedReply()
    queue.append(splitter.settle())
    pump()
  }

  func forgetUnfinishedPaste() {
    pasteDeadline = nil
    isPasteUnfinished = false
  }

  // MARK: readline's side

  /// `rl_getc_function`: the next byte. The queue has one whenever readline is
  /// asked to read. Should a command want more, it gets what comes within
  /// `keyseq-timeout`, else it fails: nothing else is done meanwhile.
  func nextByte() -> Int32 {
    if let byte = popKey() { return byte }
    guard !isInputAtEnd else { return EOF }
    if queue.isEmpty, device.hasInput(within: Readline.keyTimeout) {
      guard readTerminal() else { return EOF }
    }
    // Where readline wants a command, EOF would end the line.
    return popKey() ?? (Readline.has(RL_STATE_READCMD) ? Self.abort : EOF)
  }

  /// Ctrl-G.
  private static let abort: Int32 = 0x07

  private func popKey() -> Int32? {
    lastKeyWasSettledEscape = queue.first == .escape
    return queue.popKey().map(Int32.init)
  }

  /// `rl_input_available_hook`: whether a key follows. readline asks after the
  /// start of a longer key sequence, and then the answer waits for
  /// `keyseq-timeout`; a lone ESC has waited before it came here.
  func hasKeyAvailable() -> Bool {
    let microseconds = rl_set_keyboard_input_timeout(-1)
    // readline takes keys that are there already along with the first, and
    // forgets to record them in a macro.
    if microseconds == 0, Readline.has(RL_STATE_MACRODEF) { return false }
    if lastKeyWasSettledEscape { return false }
    if queue.hasKey { return true }
    guard queue.isEmpty, microseconds >= 1000 else { return false }
    guard device.hasInput(within: Int(microseconds) / 1000), readTerminal() else { return false }
    return queue.hasKey
  }
}
