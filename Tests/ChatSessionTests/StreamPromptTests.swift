import Glibc
import LinePrompt
import Testing

@testable import ChatSession

/// The prompt that is none, with pipes for standard input and output; each
/// test has a process of its own for them.
@Suite(.timeLimit(.minutes(5))) struct StreamPromptTests {
  @Test func `lines come whole, however they are cut, and then the end`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      let told = await Told(wires)
      wires.type("one\ntw")
      await told.wait { $0.lines == ["one"] }
      wires.type("o\n\n한")
      await told.wait { $0.lines == ["one", "two", ""] }
      wires.type("글\r\nunfinished")
      await told.wait { $0.lines.count == 4 }
      wires.hangUp()
      await told.wait { $0.ends > 0 }
      let lines = await told.lines
      #expect(lines == ["one", "two", "", "한글\r", "unfinished"])
    }
  }

  @Test func `bytes that are no UTF-8 and NUL harm no line after them`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      let told = await Told(wires)
      wires.type([0x61, 0xFF, 0x00, 0x0A, 0x62, 0x0A])
      await told.wait { $0.lines.count == 2 }
      let lines = await told.lines
      #expect(lines == ["a\u{FFFD}\0", "b"])
    }
  }

  @Test func `rows are lines, and nothing else is ever written`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      let told = await Told(wires)
      await MainActor.run {
        let prompt = told.prompt
        prompt.prompt = "lobby> "
        prompt.replaceLine("typed")
        prompt.addHistory("typed")
        prompt.clearScreen()
        prompt.hideLine()
        prompt.ring()
        prompt.release()
        prompt.reclaim()
        prompt.show(["first", "둘째"])
        prompt.stop()
        prompt.stop()
      }
      #expect(wires.written == "first\n둘째\n")
    }
  }

  @Test func `a reader that is gone ends it once`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let wires = Wires()
      let told = await Told(wires)
      wires.leave()
      await MainActor.run {
        told.prompt.show(["nobody reads this"])
        told.prompt.show(["nor this"])
      }
      let (isGone, ends) = await (told.prompt.isGone, told.ends)
      #expect(isGone && ends == 1)
    }
  }

  @Test func `an end that comes along with the last line is told`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      wires.type(String(repeating: "123456789\n", count: 1_000) + "last")
      wires.hangUp()
      let told = await Told(wires)
      await told.wait { $0.ends > 0 }
      let lines = await told.lines
      #expect(lines.count == 1_001 && lines.last == "last")
    }
  }

  @Test func `an output that takes no more at the moment is waited for`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let wires = Wires()
      _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK)
      let told = await Told(wires)
      let count = 400_000
      let reading = Task.detached { wires.read(count + 1) }
      await told.prompt.show([String(repeating: "x", count: count)])
      let isGone = await told.prompt.isGone
      #expect(!isGone)
      #expect(await reading.value == count + 1)
    }
  }

  @Test func `a line that does not end is cut, and that is told`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      let told = await Told(wires)
      let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      let typing = Task.detached { for _ in 1...3 { wires.type(part) } }
      await typing.value
      wires.type("end\nnext\n")
      await told.wait { $0.lines.count == 2 }
      let (lines, cuts) = await (told.lines, told.cuts)
      #expect(lines[0].utf8.count == 1 << 20 && lines[1] == "next" && cuts == 1)
    }
  }

  @Test func `no line comes after it was stopped`() async {
    await #expect(processExitsWith: .success) {
      let wires = Wires()
      let told = await Told(wires)
      wires.type("before\n")
      await told.wait { $0.lines == ["before"] }
      await told.prompt.stop()
      wires.type("after\n")
      wires.hangUp()
      // What was on its way to the main queue has come by then.
      for _ in 0..<100 { await Task.yield() }
      let (lines, ends) = await (told.lines, told.ends)
      #expect(lines == ["before"] && ends == 0)
    }
  }
}

/// Pipes in the place of standard input and output.
private struct Wires {
  private let keyboard: Int32
  private let screen: Int32

  init() {
    var input: [Int32] = [0, 0]
    var output: [Int32] = [0, 0]
    precondition(pipe(&input) == 0 && pipe(&output) == 0)
    dup2(input[0], STDIN_FILENO)
    dup2(output[1], STDOUT_FILENO)
    close(input[0])
    close(output[1])
    (keyboard, screen) = (input[1], output[0])
  }

  func type(_ text: String) { type(Array(text.utf8)) }
  func type(_ bytes: [UInt8]) { precondition(write(keyboard, bytes, bytes.count) == bytes.count) }
  /// Ends the input.
  func hangUp() { close(keyboard) }
  /// Reads no more of the output.
  func leave() { close(screen) }

  /// Reads that many bytes of the output.
  func read(_ count: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while total < count, case let part = Glibc.read(screen, &buffer, buffer.count), part > 0 {
      total += part
    }
    return total
  }

  /// What is in the pipe of the output.
  var written: String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(screen, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

/// What a prompt has told.
@MainActor
private final class Told {
  let prompt = StreamPrompt(columns: 80)
  private(set) var lines: [String] = []
  private(set) var ends = 0
  private(set) var cuts = 0

  init(_ wires: Wires) {
    prompt.events.onLine = { [weak self] in self?.lines.append($0) }
    prompt.events.onEndOfInput = { [weak self] in self?.ends += 1 }
    prompt.events.onPaste = { [weak self] in self?.cuts += $0.isCut ? 1 : 0 }
    prompt.start()
  }

  func wait(_ isSo: @MainActor @Sendable (Told) -> Bool) async {
    let deadline = ContinuousClock.now + .seconds(20)
    while !isSo(self) {
      precondition(ContinuousClock.now < deadline, "it never came: \(lines), \(ends) ends")
      await Task.yield()
    }
  }
}
