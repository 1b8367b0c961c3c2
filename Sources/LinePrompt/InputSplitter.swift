/// Takes apart what a terminal sends: keys for readline, bracketed pastes
/// (xterm control sequences, "Bracketed Paste Mode") and replies to questions
/// (DA, CPR, DECRPM, OSC, DCS). Keys are only ever given out as whole UTF-8
/// sequences, so that readline never waits inside one.
struct InputSplitter {
  /// What was found in the input.
  enum Item: Equatable {
    /// Bytes for readline.
    case keys([UInt8])
    /// A lone ESC that nothing followed in time.
    case escape
    /// Pasted text; whether its end was beyond the limit and is lost.
    case paste(String, isCut: Bool)
    /// A reply of the terminal, as it came.
    case reply([UInt8])
  }

  /// Most bytes of one paste that are kept.
  var pasteLimit = 1 << 20
  /// Most bytes of one reply.
  var replyLimit = 1 << 16
  /// Whether the terminal has been asked something: half an answer is then
  /// nobody's keys.
  var isExpectingReply = false
  /// How much of what waits came before a pause. If it is half an answer, what
  /// came later was typed.
  var countBeforePause: Int?
  private var held: [UInt8] = []
  /// Whether the ESC that waits came right behind an answer.
  private var isBehindReply = false
  /// Half an answer that was given up, whose rest may come all the same.
  private var abandoned: [UInt8] = []
  private var pasted: [UInt8]?
  private var isCut = false
  private var matched = 0
  private var items: [Item] = []
  /// Keys that follow the items.
  private var keys: [UInt8] = []

  /// Whether the start of a sequence waits for more bytes.
  var isHolding: Bool { !held.isEmpty }
  /// Whether what waits is given out when nothing follows it soon. The rest of
  /// a character, or of what marks a paste, always follows, however slow the
  /// line is.
  var isHoldingSequence: Bool { held.first == 0x1B && !isHoldingMark }
  /// Whether a lone ESC waits.
  var isHoldingEscape: Bool { held == [0x1B] }
  /// Whether what waits begins as a terminal's answer does.
  var isHoldingReply: Bool {
    EscapeSequence.mayBeReply(held) || isHoldingEscape && isBehindReply && isExpectingReply
  }
  /// Whether a paste has begun and not ended.
  var isPasting: Bool { pasted != nil }

  /// What `bytes`, after all that came before, make.
  mutating func feed(_ bytes: some Collection<UInt8>) -> [Item] {
    for byte in bytes.dropFirst(restOfAbandoned(in: bytes)) { take(byte) }
    isBehindReply = isBehindReply && isHoldingEscape
    return takeItems()
  }

  /// How much of `bytes` is the rest of an answer that was given up. Somebody who
  /// types sends one byte at a time.
  private mutating func restOfAbandoned(in bytes: some Collection<UInt8>) -> Int {
    guard isExpectingReply, !abandoned.isEmpty, held.isEmpty, bytes.count > 1 else { return 0 }
    var whole = abandoned
    for (index, byte) in bytes.enumerated() {
      whole.append(byte)
      switch EscapeSequence.kind(of: whole) {
      case .unfinished: continue
      case .reply:
        abandoned = []
        return index + 1
      case .key, .pasteStart, .pasteEnd: return 0
      }
    }
    abandoned = whole
    return bytes.count
  }

  /// Gives out the start of a sequence that nothing followed in time.
  mutating func settle() -> [Item] {
    guard isHoldingSequence else { return [] }
    if isHoldingEscape { add(.escape) } else { keys += held }
    held = []
    return takeItems()
  }

  /// How many bytes wait.
  var heldCount: Int { held.count }

  /// Forgets half an answer, but not what was typed behind it.
  mutating func drop() -> [Item] {
    let typed = held.dropFirst(countBeforePause ?? held.count)
    abandoned = Array(held.prefix(countBeforePause ?? held.count))
    held = []
    for byte in typed { take(byte) }
    return takeItems()
  }

  /// Gives out what has come of a paste whose end does not come.
  mutating func endPaste() -> [Item] {
    guard isPasting else { return [] }
    finishPaste()
    return takeItems()
  }

  private static let start = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)
  private static let replacement = Array("\u{FFFD}".utf8)

  private var isHoldingMark: Bool {
    held.count > 1 && [Self.start, Self.end].contains { $0.starts(with: held) }
  }

  private mutating func take(_ byte: UInt8) {
    if pasted != nil { return takePasted(byte) }
    if held.first == 0x1B { return takeSequence(byte) }
    if !held.isEmpty { return takeContinuation(byte) }
    switch byte {
    case 0x1B, 0xC2...0xF4: (held, countBeforePause) = ([byte], nil)
    case 0x80...: keys += Self.replacement
    default:
      isBehindReply = false
      keys.append(byte)
    }
  }

  private mutating func takeContinuation(_ byte: UInt8) {
    guard byte & 0xC0 == 0x80 else {
      held = []
      keys += Self.replacement
      return take(byte)
    }
    held.append(byte)
    let length = held[0] < 0xE0 ? 2 : held[0] < 0xF0 ? 3 : 4
    guard held.count == length else { return }
    let text = String(decoding: held, as: UTF8.self)
    held = []
    keys += text.utf8
  }

  private mutating func takeSequence(_ byte: UInt8) {
    if isLineEndOfReply(byte) { return }
    if isTypedBehindEscape(byte) {
      breakOff()
      return take(byte)
    }
    // In a string, ESC ends it with a backslash, or is the next sequence's.
    if isHoldingString, held.last == 0x1B, byte != 0x5C {
      let isSequence = (0x20..<0x80).contains(byte)
      if isSequence { held.removeLast() }
      breakOff()
      if isSequence { take(0x1B) }
      return isSequence ? takeSequence(byte) : take(byte)
    }
    // A byte that no sequence holds ends this one and stands for itself.
    if held.count > 1 || byte >= 0x80 || byte == 0x1B, breaksOff(byte) || isTyped(byte) {
      breakOff()
      return take(byte)
    }
    held.append(byte)
    switch EscapeSequence.kind(of: held) {
    case .unfinished where held.count < replyLimit: return
    // M-_ and the like, unless a pause says that it was half an answer.
    case .unfinished, .key:
      keys += held.dropFirst(isExpectingReply && isHoldingString ? countBeforePause ?? 0 : 0)
    case .reply:
      add(.reply(held))
      isBehindReply = true
    case .pasteEnd: break
    case .pasteStart:
      pasted = []
      isCut = false
      matched = 0
    }
    held = []
  }

  /// Whether what waits is a string of OSC, DCS or APC.
  private var isHoldingString: Bool {
    held.count > 1 && [0x5D, 0x50, 0x5F].contains(held[1])
  }

  private func breaksOff(_ byte: UInt8) -> Bool {
    guard isHoldingString else { return byte < 0x20 || byte >= 0x80 }
    // Of the strings, only OSC holds text of people.
    if byte >= 0x80 { return held[1] != 0x5D && (0xC2...0xF4).contains(byte) }
    return byte < 0x20 && byte != 0x07 && byte != 0x1B
  }

  /// Whether it is a line end in the middle of an answer: nobody has pressed
  /// Enter there, and what is typed must not be sent.
  private func isLineEndOfReply(_ byte: UInt8) -> Bool {
    (byte == 0x0A || byte == 0x0D) && isExpectingReply && isHoldingReply && countBeforePause == nil
  }

  /// Whether the ESC before it, and before a pause, was the terminal's: nobody has
  /// pressed Meta.
  private func isTypedBehindEscape(_ byte: UInt8) -> Bool {
    guard isExpectingReply, held.last == 0x1B, countBeforePause == held.count else { return false }
    return isHoldingString ? byte != 0x5C : isHoldingReply && !"[]P_".utf8.contains(byte)
  }

  /// Whether a letter, after a pause, ends neither an answer nor a key.
  private func isTyped(_ byte: UInt8) -> Bool {
    isExpectingReply && countBeforePause != nil && !isHoldingString && isHoldingReply
      && (0x61...0x7A).contains(byte) && !"ctnyu".utf8.contains(byte)
  }

  /// Gives out what waits, but for half an answer.
  private mutating func breakOff() {
    let isHalf = isExpectingReply && isHoldingReply
    keys += held.dropFirst(isHalf ? countBeforePause ?? held.count : 0)
    held = []
  }

  private mutating func takePasted(_ byte: UInt8) {
    if byte == Self.end[matched] {
      matched += 1
      if matched == Self.end.count { finishPaste() }
      return
    }
    let prefix = Self.end[..<matched]
    matched = byte == 0x1B ? 1 : 0
    keep(prefix)
    if matched == 0 { keep(CollectionOfOne(byte)) }
  }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
    guard let count = pasted?.count, count + bytes.count <= pasteLimit else {
      isCut = true
      return
    }
    pasted?.append(contentsOf: bytes)
  }

  private mutating func finishPaste() {
    add(.paste(Self.pastedText(pasted ?? []), isCut: isCut))
    pasted = nil
    matched = 0
  }

  /// Pasted bytes as text: terminals send line ends as CR; NUL cannot be in
  /// readline's buffer; what is not UTF-8 is repaired.
  static func pastedText(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte == 0x0A, previous == 0x0D {
        previous = byte
        continue
      }
      previous = byte
      if byte != 0 { text.append(byte == 0x0D ? 0x0A : byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func add(_ item: Item) {
    flushKeys()
    items.append(item)
  }

  private mutating func flushKeys() {
    guard !keys.isEmpty else { return }
    items.append(.keys(keys))
    keys = []
  }

  private mutating func takeItems() -> [Item] {
    flushKeys()
    defer { items = [] }
    return items
  }
}
