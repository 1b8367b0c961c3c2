/// What was read from the terminal and not yet handled, in order.
struct InputQueue {
  private var items: [InputSplitter.Item] = []
  private var head = 0
  private var keyHead = 0
  /// How many keys are left of each macro, the innermost last. One that calls
  /// another at its end has none left, and is not over yet.
  private var macros: [Int] = []
  /// Most macros within each other (readline: MAX_MACRO_LEVEL).
  private static let macroLimit = 16

  /// Whether nothing waits.
  var isEmpty: Bool { head == items.count }
  /// What is next.
  var first: InputSplitter.Item? { isEmpty ? nil : items[head] }
  /// Whether a key is next.
  var hasKey: Bool {
    switch first {
    case .keys, .escape: true
    default: false
    }
  }

  /// Adds at the end.
  mutating func append(_ more: [InputSplitter.Item]) { items += more }

  /// Puts keys before everything that waits.
  mutating func prepend(_ keys: [UInt8]) {
    guard !keys.isEmpty else { return }
    insert(keys)
    if !macros.isEmpty { macros.append(keys.count) }
  }

  private mutating func insert(_ keys: [UInt8]) {
    if keyHead > 0, case .keys(let bytes) = items[head] {
      items[head] = .keys(keys + bytes[keyHead...])
    } else {
      items.insert(.keys(keys), at: head)
    }
    keyHead = 0
  }

  /// Puts a macro's keys before everything that waits. Where it would be too
  /// deep within others, all of them end: false.
  mutating func prepend(macro keys: [UInt8]) -> Bool {
    guard !keys.isEmpty else { return true }
    guard macros.count < Self.macroLimit else {
      for _ in 0..<macros.reduce(0, +) { _ = popKey() }
      return false
    }
    insert(keys)
    macros.append(keys.count)
    return true
  }

  /// Tells that so many keys were taken.
  private mutating func countMacroKeys(_ count: Int) {
    for _ in 0..<count where !macros.isEmpty {
      while macros.last == 0 { macros.removeLast() }
      if let left = macros.last { macros[macros.count - 1] = left - 1 }
    }
  }

  /// Takes the next byte for readline, if a key is next.
  mutating func popKey() -> UInt8? {
    switch first {
    case .escape:
      popItem()
      return 0x1B
    case .keys(let bytes):
      let byte = bytes[keyHead]
      countMacroKeys(1)
      keyHead += 1
      if keyHead == bytes.count { popItem() }
      return byte
    default: return nil
    }
  }

  /// The next byte for readline, if a key is next.
  var firstByte: UInt8? {
    switch first {
    case .escape: 0x1B
    case .keys(let bytes): bytes[keyHead]
    default: nil
    }
  }

  /// Takes the next character, if keys are next.
  mutating func popCharacter() -> [UInt8]? {
    guard var bytes = popKey().map({ [$0] }) else { return nil }
    while let byte = firstByte, byte & 0xC0 == 0x80, let next = popKey() { bytes.append(next) }
    return bytes
  }

  /// Takes text that is next, all but its last character, if it is at least
  /// `minimum` bytes of which each `isText`.
  mutating func popText(atLeast minimum: Int, where isText: (UInt8) -> Bool) -> [UInt8]? {
    guard case .keys(let bytes) = first, bytes.count - keyHead > minimum else { return nil }
    let rest = bytes[keyHead...]
    guard rest.prefix(minimum).allSatisfy(isText) else { return nil }
    let text = rest.prefix(while: isText)
    guard let last = text.lastIndex(where: { $0 & 0xC0 != 0x80 }), last > keyHead else {
      return nil
    }
    countMacroKeys(last - keyHead)
    defer { keyHead = last }
    return Array(text[..<last])
  }

  /// Drops what is next.
  mutating func popItem() {
    head += 1
    keyHead = 0
    if head == items.count {
      items = []
      head = 0
    }
  }

  /// Drops everything.
  mutating func removeAll() { self = InputQueue() }
}
