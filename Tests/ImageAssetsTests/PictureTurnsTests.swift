import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(1)))
struct PictureTurnsTests {
  /// Takes turns, and tells whose it was in their order.
  private actor Line {
    private var turns: PictureTurns<String>
    /// In capitals what counts as asked for.
    private(set) var begun: [String] = []
    private var waitingCount = 0

    init(count: Int) { turns = PictureTurns(count: count) }

    /// Waits for a turn, as somebody who goes on meanwhile.
    nonisolated func wait(_ key: String, isAsked: Bool) async {
      let before = await waitingCount
      Task { await take(key, isAsked: isAsked) }
      _ = await eventually { await self.waitingCount > before }
    }

    private func take(_ key: String, isAsked: Bool) async {
      waitingCount += 1
      let wasAsked = await withCheckedContinuation { turns.wait(key, isAsked: isAsked, $0) }
      begun.append(wasAsked ? key.uppercased() : key)
    }

    func prefer(_ key: String) { turns.prefer(key) }
    func end(isAsked: Bool) { turns.end(isAsked: isAsked) }

    nonisolated func hasBegun(_ keys: String) async -> Bool {
      await eventually { await self.begun.joined() == keys }
    }
  }

  @Test func `what comes by itself leaves a place for who asks`() async {
    let line = Line(count: 2)
    for key in ["a", "b", "c"] { await line.wait(key, isAsked: false) }
    #expect(await line.hasBegun("a"))
    for key in ["x", "y"] { await line.wait(key, isAsked: true) }
    #expect(await line.hasBegun("aX"))
    await line.end(isAsked: false)
    #expect(await line.hasBegun("aXY"))
    await line.end(isAsked: true)
    #expect(await line.hasBegun("aXYb"))
    await line.end(isAsked: true)
    #expect(await line.hasBegun("aXYb"))
    await line.end(isAsked: false)
    #expect(await line.hasBegun("aXYbc"))
  }

  @Test func `who asks for what waits already is served at once`() async {
    let line = Line(count: 2)
    for key in ["a", "b", "c"] { await line.wait(key, isAsked: false) }
    await line.prefer("c")
    #expect(await line.hasBegun("aC"))
  }

  @Test func `one place is for all in turn`() async {
    let line = Line(count: 1)
    for key in ["a", "b"] { await line.wait(key, isAsked: false) }
    await line.wait("x", isAsked: true)
    #expect(await line.hasBegun("a"))
    await line.end(isAsked: false)
    #expect(await line.hasBegun("aX"))
    await line.end(isAsked: true)
    #expect(await line.hasBegun("aXb"))
  }
}
