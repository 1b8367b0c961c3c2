import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct ImageLibraryTests {
  private let folder = TemporaryFolder()

  private func library(
    _ room: HeldRoom, parallel: Int = 4, ahead: Int = 256, remembered: Int = 2_048,
    turns: FetchTurns? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) -> ImageLibrary {
    var limits = ImageLimits()
    (limits.parallelFetches, limits.waitingPrefetches) = (parallel, ahead)
    limits.rememberedImages = remembered
    let web = WebFetch(policy: AddressPolicy(), limits: limits, environment: [:])
    return ImageLibrary(
      cache: ImageDiskCache(folders: [folder.path]), web: web, limits: limits, turns: turns,
      now: now,
      storedFile: { path, _ in try await room.file(path) })
  }

  private func source(_ name: String) -> ImageSource { .stored(path: name, sha256: nil) }

  private func isReady(_ result: Result<ImageFile, ImageFailure>) -> Bool {
    (try? result.get())?.header.size == PixelSize(width: 2, height: 2)
  }

  @Test func `who asks for the same image waits for one fetch`() async {
    let room = HeldRoom()
    let library = library(room)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await isReady(library.image(source("a"))) } }
      #expect(await room.asked(1))
      #expect(await library.requestCount == 1)
      await room.release("a")
      for await isReady in group { #expect(isReady) }
    }
    #expect(await isReady(library.image(source("a"))))
    #expect(room.asked == ["a"])
  }

  @Test func `ten thousand images cost no more than a few at once`() async {
    let room = HeldRoom(holds: false)
    let library = library(room, parallel: 4, remembered: 100)
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<10_000 {
        group.addTask { await isReady(library.image(source("\(number)"))) }
      }
      for await isReady in group where !isReady { Issue.record("one was lost") }
    }
    #expect(room.asked.count == 10_000)
    #expect((1...4).contains(room.mostRunning))
    #expect(await library.rememberedCount <= 125)
  }

  @Test func `rooms share how many are fetched at once, and who asks comes first`() async {
    let room = HeldRoom()
    let turns = FetchTurns(count: 2)
    let libraries = (0..<3).map { _ in library(room, parallel: 2, turns: turns) }
    await libraries[0].prefetch([source("ahead")])
    #expect(await room.asked(1))
    // It leaves a place for who asks.
    await libraries[1].prefetch([source("later")])
    let first = Task { await libraries[2].image(source("first")) }
    #expect(await room.asked(2))
    let second = Task { await libraries[2].image(source("second")) }
    let unwanted = Task { await libraries[0].image(source("unwanted")) }
    #expect(await eventually { await libraries[0].waiterCount == 1 })
    unwanted.cancel()
    #expect(await unwanted.value == .failure(.cancelled))
    // What waits for its turn ends without it.
    #expect(await eventually { await libraries[0].requestCount == 1 })
    #expect(room.asked == ["ahead", "first"])
    await room.release("first")
    #expect(await isReady(first.value))
    await room.release("second")
    #expect(await isReady(second.value))
    await room.release("ahead")
    await room.release("later")
    #expect(room.asked == ["ahead", "first", "second", "later"] && room.mostRunning == 2)
  }

  @Test func `ten thousand prefetches leave the newest`() async {
    let room = HeldRoom()
    let library = library(room, parallel: 2, ahead: 10)
    await library.prefetch((0..<10_000).map { source("\($0)") })
    #expect(await library.requestCount == 10)
    for name in (9_990..<10_000).map(String.init) { await room.release(name) }
    #expect(await eventually { await library.requestCount == 0 })
    #expect(room.asked == (9_990..<10_000).map(String.init))
    #expect(room.mostRunning == 1)
  }

  @Test func `what somebody waits for comes before what is fetched ahead`() async {
    let room = HeldRoom()
    let library = library(room, parallel: 2)
    await library.prefetch(["a", "b", "c", "d"].map(source))
    #expect(await room.asked(1))
    // One place is kept free for who asks.
    async let first = library.image(source("d"))
    #expect(await room.asked(2))
    async let second = library.image(source("x"))
    #expect(await eventually { await library.requestCount == 5 })
    await room.release("a")
    #expect(await room.asked(3))
    for name in ["d", "x", "b", "c"] { await room.release(name) }
    let results = await [first, second]
    #expect(results.allSatisfy(isReady))
    #expect(room.asked == ["a", "d", "x", "b", "c"])
  }

  @Test func `a fetch that nobody wants any more ends`() async {
    let room = HeldRoom()
    let library = library(room, parallel: 2)
    await library.prefetch(["a", "b"].map(source))
    #expect(await room.asked(1))
    await library.cancelPrefetches(besides: [source("a")])
    #expect(await library.requestCount == 1)
    await library.cancelPrefetches()
    #expect(await eventually { room.cancelled == ["a"] })
    #expect(await eventually { await library.requestCount == 0 })
    #expect(room.asked == ["a"])
  }

  @Test func `a fetch goes on as long as somebody waits for it`() async {
    let room = HeldRoom()
    let library = library(room)
    let first = Task { await library.image(source("a")) }
    let second = Task { await library.image(source("a")) }
    #expect(await eventually { await library.waiterCount == 2 })
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    await library.prefetch([source("a")])
    second.cancel()
    #expect(await second.value == .failure(.cancelled))
    #expect(await library.requestCount == 1)
    await library.cancelPrefetches()
    #expect(await eventually { room.cancelled == ["a"] })
    // And begins anew for who comes then.
    let third = Task { await library.image(source("a")) }
    #expect(await room.asked(2))
    await room.release("a")
    #expect(await isReady(third.value))
  }

  @Test func `who comes while a fetch ends gets a new one`() async {
    let room = HeldRoom(endsAtOnce: false)
    let library = library(room, parallel: 1)
    let first = Task { await library.image(source("a")) }
    #expect(await room.asked(1))
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    // The fetch is told to end, and has not yet.
    let second = Task { await library.image(source("a")) }
    #expect(await eventually { await library.waiterCount == 1 })
    #expect(room.asked.count == 1)
    await room.release("a")
    #expect(await room.asked(2))
    #expect(room.cancelled == ["a"])
    await room.release("a")
    #expect(await isReady(second.value))
    #expect(await library.requestCount == 0)
  }

  @Test func `what has failed is tried again when somebody asks, else later`() async {
    let room = HeldRoom(holds: false)
    let clock = Clock()
    let library = library(room, now: { clock.now.withLock { $0 } })
    #expect(await library.image(source("bad")) == .failure(.timedOut))
    await library.prefetch([source("bad")])
    #expect(await library.requestCount == 0)
    #expect(room.asked.count == 1)
    #expect(await library.image(source("bad")) == .failure(.timedOut))
    #expect(room.asked.count == 2)
    clock.now.withLock { $0 += .seconds(60) }
    await library.prefetch([source("bad")])
    #expect(await room.asked(3))
  }

  private final class Clock: Sendable {
    let now = Mutex(ContinuousClock.now)
  }

  @Test func `fetches again what was removed behind its back`() async throws {
    let room = HeldRoom(holds: false)
    let library = library(room)
    let file = try await library.image(source("a")).get()
    try #require(unlink(file.path) == 0)
    #expect(await library.image(source("a")) == .failure(.notAFile))
    #expect(room.asked == ["a", "a"])
  }

  @Test func `what is on the disk waits for no other fetch`() async throws {
    let room = HeldRoom()
    let library = library(room, parallel: 1)
    let cache = ImageDiskCache(folders: [folder.path])
    let source = ImageSource("http://images.example/")
    let part = try await cache.makePart()
    try part.write(Samples.picture)
    let kept = try await cache.keep(part, as: source.key, limits: ImageLimits())
    let waiting = Task { await library.image(self.source("a")) }
    #expect(await room.asked(1))
    #expect(await library.image(source) == .success(kept))
    await room.release("a")
    #expect(await isReady(waiting.value))
  }

  @Test func `ends for good`() async {
    let room = HeldRoom()
    let library = library(room, parallel: 2)
    let waiting = Task { await library.image(source("a")) }
    await library.prefetch([source("b")])
    #expect(await room.asked(1))
    await library.close()
    #expect(await waiting.value == .failure(.cancelled))
    #expect(await library.image(source("c")) == .failure(.cancelled))
    #expect(await eventually { await library.requestCount == 0 })
    #expect(!room.asked.contains("c"))
  }
}
