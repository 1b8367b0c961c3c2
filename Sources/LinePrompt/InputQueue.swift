/// What was read from the terminal and not yet handled, in order.
struct InputQueue {
  private var items: [InputSplitter.Item] = []
  private var head = 0
  private var keyHead = 0

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
    if keyHead > 0, case .keys(let bytes) = items[head] {
      items[head] = .keys(keys + bytes[keyHead...])
    } else {
      items.insert(.keys(keys), at: head)
    }
    keyHead = 0
  }

  /// Takes the next byte for readline, if a key is next.
  mutating func popKey() -> UInt8? {
    switch first {
    case .escape:
      popItem()
      return 0x1B
    case .keys(let bytes):
      let byte = bytes[keyHead]
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
