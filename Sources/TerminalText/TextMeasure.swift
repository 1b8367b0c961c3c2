/// How wide terminals draw emoji that are made of several code points.
package enum EmojiWidth: String, Sendable, CaseIterable {
  /// As Unicode has it and newer terminals draw it: whatever looks like an
  /// emoji takes two columns, be it a heart with a variation selector, a
  /// family, a flag or a keycap.
  case wide
  /// As tmux 3.3 and other terminals draw it that go by code points: a
  /// variation selector changes nothing (`❤️` takes one column), what a joiner
  /// joins is drawn onto the first emoji, a skin tone stands beside the hand.
  case narrow
}

/// Measures text in terminal columns, by grapheme cluster.
package struct TextMeasure: Sendable, Equatable {
  /// Which of the two ways of drawing emoji to go by.
  package var emojiWidth: EmojiWidth

  /// A measure for a terminal that draws emoji in this way.
  package init(emojiWidth: EmojiWidth = .wide) {
    self.emojiWidth = emojiWidth
  }

  /// Columns between two tab stops.
  static let tabWidth = 8

  /// The columns of one cluster; 0 for controls and lone combining marks, a
  /// whole tab for a tab.
  package func columns(_ cluster: Character) -> Int {
    var scalars = cluster.unicodeScalars.makeIterator()
    guard let first = scalars.next() else { return 0 }
    guard let second = scalars.next() else { return columns(ofLone: first) }
    if isEmoji(first, second, cluster) {
      return emojiWidth == .wide ? 2 : columns(ofCodePoints: cluster)
    }
    var total = ScalarWidth.columns(of: first) + ScalarWidth.columns(of: second)
    while let scalar = scalars.next() { total += ScalarWidth.columns(of: scalar) }
    return total
  }

  /// The columns of `text` when it begins at a tab stop.
  package func columns(_ text: some StringProtocol) -> Int {
    columns(text, startingAt: 0)
  }

  /// The columns that `text` takes when its first cluster stands in `column`,
  /// counted from 0; that matters for tabs only, which go to the next multiple
  /// of eight.
  package func columns(_ text: some StringProtocol, startingAt column: Int) -> Int {
    if let quick = simpleColumns(text) { return quick }
    var end = column
    for cluster in text {
      if cluster == "\t" {
        end += Self.tabWidth - end % Self.tabWidth
      } else {
        end += columns(cluster)
      }
    }
    return end - column
  }

  /// The columns of a text of simple scalars only, else nil.
  func simpleColumns(_ text: some StringProtocol) -> Int? {
    let known: Int?? = text.utf8.withContiguousStorageIfAvailable { bytes in
      var total = 0
      var index = 0
      while index < bytes.count {
        if bytes[index] >= 0x20, bytes[index] < 0x7F {
          total += 1
          index += 1
          continue
        }
        let (value, length) = decodedScalar(bytes, at: index)
        guard let width = ScalarWidth.ofSimple(value) else { return nil }
        total += width
        index += length
      }
      return total
    }
    return known ?? nil
  }

  private func columns(ofLone scalar: Unicode.Scalar) -> Int {
    scalar == "\t" ? Self.tabWidth : ScalarWidth.columns(of: scalar)
  }

  /// Whether a cluster that begins with `first` and `second` is drawn as an
  /// emoji (Unicode Technical Standard 51): by a variation selector, a skin
  /// tone, a joiner, as a flag, or as a keycap.
  private func isEmoji(
    _ first: Unicode.Scalar, _ second: Unicode.Scalar, _ cluster: Character
  ) -> Bool {
    guard first.properties.isEmoji else { return false }
    switch second.value {
    case 0xFE0F, 0x1F3FB...0x1F3FF: return true
    case 0x1F1E6...0x1F1FF: return (0x1F1E6...0x1F1FF).contains(first.value)
    case 0x20E3: return first.value < 0x80
    case 0x200D, 0xE0020...0xE007F: return first.value > 0xFF
    default: return false
    }
  }

  /// The columns of an emoji where code points are drawn one by one: joined
  /// ones lie on the first.
  private func columns(ofCodePoints cluster: Character) -> Int {
    var total = 0
    var isJoined = false
    for scalar in cluster.unicodeScalars {
      if !isJoined { total += ScalarWidth.columns(of: scalar) }
      isJoined = scalar.value == 0x200D
    }
    return total
  }
}
