import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(1)))
struct PictureTurnsTests {
  /// Takes turns, and tells whose it was in their order.
  private actor Line {
    private var turns: PictureTurns<String>
    private(set) var begun: [String] = []
    private(set) var waiting = 0

    init(count: Int) { turns = PictureTurns(count: count) }

    /// - Returns: whether it counts as asked for.
    func take(_ key: String, isAsked: Bool) async -> Bool {
      waiting += 1
      let wasAsked = await withCheckedContinuation { turns.wait(key, isAsked: isAsked, $0) }
      begun.append(key)
      return wasAsked
    }

    func prefer(_ key: String) { turns.prefer(key) }
    func end(isAsked: Bool) { turns.end(isAsked: isAsked) }
  }

  private func wait(_ key: String, isAsked: Bool, in line: Line, _ count: Int) async -> Task<
    Bool, Never
  > {
    let task = Task { await line.take(key, isAsked: isAsked) }
    _ = await eventually { await line.waiting == count }
    return task
  }

  @Test func `what comes by itself leaves a place for who asks`() async {
    let line = Line(count: 2)
    let first = await wait("a", isAsked: false, in: line, 1)
    #expect(await !first.value)
    _ = await wait("b", isAsked: false, in: line, 2)
    _ = await wait("c", isAsked: false, in: line, 3)
    let asked = await wait("x", isAsked: true, in: line, 4)
    #expect(await asked.value)
    #expect(await line.begun == ["a", "x"])
    _ = await wait("y", isAsked: true, in: line, 5)
    await line.end(isAsked: false)
    #expect(await eventually { await line.begun == ["a", "x", "y"] })
    await line.end(isAsked: true)
    #expect(await eventually { await line.begun == ["a", "x", "y", "b"] })
    await line.end(isAsked: true)
    await line.end(isAsked: false)
    #expect(await eventually { await line.begun == ["a", "x", "y", "b", "c"] })
  }

  @Test func `who asks for what waits already is served at once`() async {
    let line = Line(count: 2)
    _ = await wait("a", isAsked: false, in: line, 1)
    _ = await wait("b", isAsked: false, in: line, 2)
    let wanted = await wait("c", isAsked: false, in: line, 3)
    await line.prefer("c")
    #expect(await wanted.value)
    #expect(await line.begun == ["a", "c"])
  }

  @Test func `one place is for all in turn`() async {
    let line = Line(count: 1)
    let first = await wait("a", isAsked: false, in: line, 1)
    #expect(await !first.value)
    _ = await wait("b", isAsked: false, in: line, 2)
    _ = await wait("x", isAsked: true, in: line, 3)
    await line.end(isAsked: false)
    #expect(await eventually { await line.begun == ["a", "x"] })
    await line.end(isAsked: true)
    #expect(await eventually { await line.begun == ["a", "x", "b"] })
  }
}
