/// Finds one's own names in messages.
///
/// Case does not matter for ASCII letters, nor the normal form for others. A
/// name has to begin where a word begins; it has to end where one ends, too,
/// unless it ends in Hangul or another script that puts particles right after
/// names (`민수야`).
struct MentionFinder {
  private let asciiNames: [[UInt8]]
  private let otherNames: [[Character]]

  /// A finder of these names; blank ones are left out.
  init(names: [String]) {
    let usable = names.filter { name in name.contains { !$0.isWhitespace } }
    asciiNames = usable.filter(isPrintableASCII).map { $0.utf8.map(lowercased) }
    otherNames = usable.filter { !isPrintableASCII($0) }.map { Array($0.lowercased()) }
  }

  /// Whether `text` names one of them.
  func isMentioned(in text: String) -> Bool {
    if !asciiNames.isEmpty {
      let found = text.utf8.withContiguousStorageIfAvailable { bytes in
        asciiNames.contains { contains(bytes, $0) }
      }
      if found == true { return true }
    }
    if otherNames.isEmpty || isPrintableASCII(text) { return false }
    let characters = Array(text.lowercased())
    return otherNames.contains { contains(characters, $0) }
  }

  private func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ name: [UInt8]) -> Bool {
    guard bytes.count >= name.count else { return false }
    for start in 0...(bytes.count - name.count) where lowercased(bytes[start]) == name[0] {
      let end = start + name.count
      guard start == 0 || !isWord(bytes[start - 1]) else { continue }
      guard end == bytes.count || !isLetter(bytes[end]) else { continue }
      if name.indices.allSatisfy({ lowercased(bytes[start + $0]) == name[$0] }) { return true }
    }
    return false
  }

  private func contains(_ text: [Character], _ name: [Character]) -> Bool {
    guard text.count >= name.count, let last = name.last else { return false }
    let takesParticles = !last.isCased
    for start in 0...(text.count - name.count) where text[start] == name[0] {
      let end = start + name.count
      guard start == 0 || !text[start - 1].isWordPart else { continue }
      guard end == text.count || takesParticles || !text[end].isWordPart else { continue }
      if text[start..<end].elementsEqual(name) { return true }
    }
    return false
  }
}

/// Whether a byte belongs to a word; those of letters beyond ASCII do.
private func isWord(_ byte: UInt8) -> Bool {
  isLetter(byte) || byte >= 0x80
}

/// Particles of other scripts may follow a name in ASCII (`minsu야`).
private func isLetter(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
  default: false
  }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
