import Testing

@testable import LinePrompt

@Suite struct InputSplitterTests {
  private func items(_ input: String, splitter: InputSplitter = InputSplitter())
    -> [InputSplitter.Item]
  {
    var whole = splitter
    var bytewise = splitter
    let all = whole.feed(Array(input.utf8))
    // Where reads end must make no difference.
    var pieces: [InputSplitter.Item] = []
    for byte in input.utf8 {
      for item in bytewise.feed([byte]) {
        if case .keys(let more) = item, case .keys(let before)? = pieces.last {
          pieces[pieces.count - 1] = .keys(before + more)
        } else {
          pieces.append(item)
        }
      }
    }
    #expect(pieces == all)
    return all
  }

  private func keys(_ text: String) -> InputSplitter.Item { .keys(Array(text.utf8)) }

  @Test func `keys come through whole`() {
    #expect(items("abc") == [keys("abc")])
    #expect(items("민수\r") == [keys("민수\r")])
    #expect(
      items("\u{1B}[A\u{1B}OB\u{1B}f\u{1B}[1;5C") == [keys("\u{1B}[A\u{1B}OB\u{1B}f\u{1B}[1;5C")])
  }

  @Test func `a paste is one item, with its line ends and tabs`() {
    #expect(
      items("x\u{1B}[200~a\tb\r\n\ty\u{1B}[A\r\u{1B}[201~z")
        == [keys("x"), .paste("a\tb\n\ty\u{1B}[A\n", isCut: false), keys("z")])
  }

  @Test func `a paste is cut at its limit, and its end still found`() {
    var splitter = InputSplitter()
    splitter.pasteLimit = 3
    #expect(
      items("\u{1B}[200~abcdef\u{1B}[201~g", splitter: splitter)
        == [.paste("abc", isCut: true), keys("g")])
  }

  @Test(arguments: [
    "\u{1B}[?62;22c", "\u{1B}[>0;1;0c", "\u{1B}[12;40R", "\u{1B}[0n", "\u{1B}[?2026;2$y",
    "\u{1B}[4;600;800t", "\u{1B}]11;rgb:00/00/00\u{07}", "\u{1B}]11;rgb:00/00/00\u{1B}\\",
    "\u{1B}P>|XTerm(390)\u{1B}\\", "\u{1B}P1+r52=41\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
  ])
  func `a terminal's reply never reaches the line`(reply: String) {
    #expect(items("a\(reply)b") == [keys("a"), .reply(Array(reply.utf8)), keys("b")])
  }

  @Test(arguments: [
    "\u{1B}_Gi=4207;O", "\u{1B}P>|XTer", "\u{1B}[?62;", "\u{1B}_Gi=4207;OK\u{1B}", "\u{1B}[6;2",
  ])
  func `half an answer is dropped, and the key behind it is not`(half: String) {
    for key in ["안", "\u{3}", "\u{1B}[A", "\u{1B}f"] {
      var splitter = InputSplitter()
      splitter.isExpectingReply = true
      #expect(items("a\(half)\(key)b", splitter: splitter) == [keys("a\(key)b")])
    }
  }

  @Test(arguments: ["\u{1B}_Gi=4207;OK\u{1B}\\", "\u{1B}P>|XTerm(390)\u{1B}\\", "\u{1B}[?62;22c"])
  func `a line end within an answer is no Enter, and behind a pause it is`(answer: String) {
    for end in ["\r", "\n", "\r\n"] {
      for count in 2..<answer.utf8.count {
        var splitter = InputSplitter()
        splitter.isExpectingReply = true
        let beginning = answer.utf8.prefix(count)
        #expect(splitter.feed(Array(beginning) + Array(end.utf8)).isEmpty)
        #expect(splitter.feed(answer.utf8.dropFirst(count)) == [.reply(Array(answer.utf8))])
        #expect(splitter.feed(beginning).isEmpty)
        splitter.countBeforePause = splitter.heldCount
        #expect(splitter.feed(end.utf8) == [keys(end)])
      }
    }
  }

  @Test(arguments: ["\u{1B}_Gi=4207;OK\u{1B}\\", "\u{1B}P>|kitty(1)\u{1B}\\", "\u{1B}[?62;4;22c"])
  func `the rest of an answer that was given up is nobody's keys`(answer: String) {
    for count in 2..<answer.utf8.count - 1 {
      var splitter = InputSplitter()
      splitter.isExpectingReply = true
      #expect(splitter.feed(answer.utf8.prefix(count)).isEmpty)
      #expect(splitter.drop().isEmpty)
      #expect(splitter.feed(Array("x".utf8)) == [keys("x")])
      #expect(splitter.feed(answer.utf8.dropFirst(count) + Array("abc".utf8)) == [keys("abc")])
    }
  }

  @Test func `an ESC that was the terminal's makes no Meta of the next key`() {
    let answer = "\u{1B}[6;20;10t"
    for half in [answer + "\u{1B}", "\u{1B}_Gi=4207;OK\u{1B}"] {
      var splitter = InputSplitter()
      splitter.isExpectingReply = true
      let first = splitter.feed(half.utf8)
      #expect(first == (half.hasPrefix(answer) ? [.reply(Array(answer.utf8))] : []))
      #expect(splitter.isHoldingReply)
      splitter.countBeforePause = splitter.heldCount
      #expect(splitter.feed("e".utf8) == [keys("e")])
      #expect(!splitter.isHolding)
    }
    var splitter = InputSplitter()
    #expect(items("a\u{1B}e", splitter: splitter) == [keys("a\u{1B}e")])
    splitter.isExpectingReply = true
    #expect(splitter.feed("\u{1B}".utf8).isEmpty && !splitter.isHoldingReply)
  }

  @Test func `an answer behind half of another is one`() {
    let whole = "\u{1B}[?62;22c"
    var splitter = InputSplitter()
    splitter.isExpectingReply = true
    #expect(
      items("\u{1B}_Gi=42\(whole)b", splitter: splitter)
        == [.reply(Array(whole.utf8)), keys("b")])
  }

  @Test(arguments: ["\u{1B}_Gi=4207;O", "\u{1B}P>|XTer", "\u{1B}[6;2"])
  func `what was typed behind half an answer is kept`(half: String) {
    for (typed, isAtOnce) in [("hello", false), ("hello한", true), ("h\r", true)] {
      var splitter = InputSplitter()
      splitter.isExpectingReply = true
      #expect(splitter.feed(half.utf8).isEmpty)
      splitter.countBeforePause = splitter.heldCount
      let isString = !half.contains("[")
      let items = splitter.feed(typed.utf8)
      #expect(items == (isString && !isAtOnce ? [] : [keys(typed)]))
      #expect(splitter.drop() == (isString && !isAtOnce ? [keys(typed)] : []))
      #expect(splitter.feed(half.utf8).isEmpty)
      #expect(splitter.drop().isEmpty)
      #expect(!splitter.isHolding)
    }
  }

  @Test(arguments: ["\u{1B}_", "\u{1B}P"])
  func `two bytes are half an answer after a question, else a key`(half: String) {
    for isExpected in [true, false] {
      var splitter = InputSplitter()
      splitter.isExpectingReply = isExpected
      #expect(splitter.feed(half.utf8).isEmpty)
      splitter.countBeforePause = splitter.heldCount
      #expect(splitter.feed("x".utf8) == [keys(isExpected ? "x" : "\(half)x")])
    }
  }

  @Test func `a slow answer is one, and so is a slow key`() {
    for (sequence, isReply) in [("\u{1B}[?62;22c", true), ("\u{1B}[1;5C", false)] {
      var splitter = InputSplitter()
      splitter.isExpectingReply = true
      #expect(splitter.feed(sequence.utf8.prefix(5)).isEmpty)
      splitter.countBeforePause = splitter.heldCount
      let rest = splitter.feed(sequence.utf8.dropFirst(5))
      #expect(rest == [isReply ? .reply(Array(sequence.utf8)) : keys(sequence)])
    }
  }

  @Test func `meta keys that replies begin with stay keys`() {
    #expect(items("\u{1B}]x") == [keys("\u{1B}]x")])
    #expect(items("\u{1B}Px") == [keys("\u{1B}Px")])
    #expect(items("\u{1B}_x") == [keys("\u{1B}_x")])
  }

  @Test func `what does not go on is given out after a while`() {
    var splitter = InputSplitter()
    #expect(splitter.feed([0x1B]).isEmpty)
    #expect(splitter.isHoldingEscape)
    #expect(splitter.settle() == [.escape])
    #expect(splitter.feed(Array("\u{1B}[1".utf8)).isEmpty)
    #expect(splitter.settle() == [keys("\u{1B}[1")])
    #expect(!splitter.isHolding)
  }

  @Test(arguments: 2...5)
  func `the marks of a paste may come in two parts, however late`(count: Int) {
    var splitter = InputSplitter()
    let marks = ["\u{1B}[200~", "a\u{1B}[201~"]
    for part in marks.flatMap({ [$0.prefix(count), $0.dropFirst(count)] }) {
      #expect(splitter.feed(part.utf8).allSatisfy { $0 == .paste("a", isCut: false) })
      #expect(splitter.settle().isEmpty)
    }
    #expect(!splitter.isPasting)
    // One that ends nothing.
    let end = Array("\u{1B}[201~".utf8)
    #expect(splitter.feed(end[..<count]).isEmpty && splitter.settle().isEmpty)
    #expect(splitter.feed(end[count...] + [0x78]) == [keys("x")])
  }

  @Test func `an unfinished sequence does not swallow the key after it`() {
    #expect(items("\u{1B}[1\r") == [keys("\u{1B}[1\r")])
    #expect(items("\u{1B}\u{1B}[A") == [keys("\u{1B}\u{1B}[A")])
  }

  @Test func `bytes that are no UTF-8 become the replacement character`() {
    var splitter = InputSplitter()
    #expect(splitter.feed([0x61, 0xFF, 0xC3, 0x62]) == [keys("a\u{FFFD}\u{FFFD}b")])
  }

  @Test func `a paste that is ended early has what came so far`() {
    var splitter = InputSplitter()
    _ = splitter.feed(Array("\u{1B}[200~abc\u{1B}[20".utf8))
    #expect(splitter.isPasting)
    #expect(splitter.endPaste() == [.paste("abc", isCut: false)])
    #expect(splitter.endPaste().isEmpty)
    #expect(splitter.feed([0x78]) == [keys("x")])
  }

  @Test func `the end of a paste that never began is nothing`() {
    #expect(items("a\u{1B}[201~b") == [keys("ab")])
  }

  @Test func `a character that comes in pieces is waited for`() {
    var splitter = InputSplitter()
    #expect(splitter.feed([0xEB, 0xAF]).isEmpty)
    #expect(!splitter.isHoldingSequence)
    #expect(splitter.settle().isEmpty)
    #expect(splitter.feed([0xBC]) == [keys("민")])
  }

  @Test func `text is taken in one piece but for its last character`() {
    var queue = InputQueue()
    queue.append([keys("abc민\r")])
    let isText = { (byte: UInt8) in byte >= 0x20 }
    #expect(queue.popText(atLeast: 7, where: isText) == nil)
    #expect(queue.popKey() == 0x61)
    #expect(queue.popText(atLeast: 3, where: isText) == Array("bc".utf8))
    #expect(queue.firstByte == 0xEB)
    #expect(queue.popText(atLeast: 1, where: isText) == nil)
  }

  @Test(arguments: [
    ("a\tb\r\ty\r", true), ("one\rtwo", true), ("\tx", true), ("hello\r", false), ("/pro\t", false),
    ("\t\t", false), ("abc", false), ("a\u{1B}[Ab\tc", false), ("\r\r", false),
  ])
  func `a read with text after a tab or line end is a paste`(input: String, isPaste: Bool) {
    #expect(PasteGuess.isPaste(Array(input.utf8)) == isPaste)
  }

  @Test func `macros within each other end when they are too many`() {
    var queue = InputQueue()
    queue.append([keys("typed")])
    // One after the other, as many as there are.
    let calls = [UInt8](repeating: 0x63, count: 50)
    var areTaken = [queue.prepend(macro: calls)]
    var taken: [UInt8] = []
    for _ in calls {
      taken += [queue.popKey()].compactMap { $0 }
      areTaken.append(queue.prepend(macro: [0x61, 0x62]))
      taken += [queue.popKey(), queue.popKey()].compactMap { $0 }
    }
    #expect(areTaken == Array(repeating: true, count: 51))
    #expect(taken == Array(repeating: [0x63, 0x61, 0x62], count: 50).flatMap { $0 })
    #expect(queue.popKey() == 0x74)
    // One that calls itself at its end, and one that does so before.
    for rest in [[], [0x72]] as [[UInt8]] {
      var depth = 0
      while queue.prepend(macro: [0x63] + rest), queue.popKey() == 0x63 { depth += 1 }
      #expect(depth == 16)
      #expect(queue.popKey() != 0x72)
    }
    #expect(queue.popKey() == 0x65)
  }

  @Test func `keys put first come first, and none is lost`() {
    var queue = InputQueue()
    queue.append([keys("ab"), .paste("p", isCut: false)])
    #expect(queue.popKey() == 0x61)
    queue.prepend([0x78])
    #expect(queue.popKey() == 0x78)
    #expect(queue.popKey() == 0x62)
    #expect(!queue.hasKey)
    #expect(queue.popKey() == nil)
    #expect(queue.first == .paste("p", isCut: false))
  }
}
