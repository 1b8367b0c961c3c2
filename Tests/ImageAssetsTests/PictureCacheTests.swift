import Glibc
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct PictureCacheTests {
  private let folder = TemporaryFolder()

  /// Makes pictures by a program that notes how many are made at once; each is
  /// a row of as many bytes as there are columns.
  private func renderer(columns: Int) -> ImageRenderer {
    let script = """
      #!/bin/sh
      for word; do case $word in --size=*) size=${word#--size=} ;; esac; done
      mkdir "$0.$$" && set -- "$0".?*
      [ $# -gt 2 ] && mkdir "${0%/*}/many"
      head -c "${size%x*}" /dev/zero | tr '\\0' x
      rmdir "$0.$$"; mkdir "${0%/*}/made.$$"
      """
    mkdir("\(folder.path)/bin", 0o700)
    if folder.read("bin/chafa") == nil { folder.write("bin/chafa", script, mode: 0o700) }
    return ImageRenderer(
      size: PictureSize(columns: columns, rows: 1), graphics: .blocks, colorCount: 2,
      environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin"], seconds: 60)
  }

  private func file(_ name: String = "image.png") throws -> ImageFile {
    try ImageFile.read(folder.write(name, Samples.quarters(400, 300)), limits: ImageLimits())
  }

  /// How many pictures were made.
  private var madeCount: Int {
    names(in: "\(folder.path)/bin").count { $0.hasPrefix("made.") }
  }

  @Test func `makes no picture twice for one size`() async throws {
    let cache = PictureCache { .none }
    let file = try file()
    for _ in 0..<3 {
      for columns in [5, 7] {
        let picture = try await cache.picture(
          of: file, by: renderer(columns: columns), isAsked: true
        ).get()
        #expect(picture.sizeInBytes > 0)
      }
    }
    #expect(madeCount == 2)
  }

  @Test func `forgets what was looked at longest ago, and keeps nothing that is too large`()
    async throws
  {
    let cache = PictureCache(limitInBytes: 100) { .none }
    let file = try file()
    func look(_ columns: Int) async throws -> Int {
      _ = try await cache.picture(of: file, by: renderer(columns: columns), isAsked: true).get()
      return madeCount
    }
    let counts = [
      try await look(40), try await look(50), try await look(40),  // 40 is newer than 50
      try await look(45), try await look(40), try await look(50), try await look(101),
      try await look(101), try await look(50),
    ]
    #expect(counts == [1, 2, 2, 3, 3, 4, 5, 6, 6])
  }

  @Test func `makes a picture anew of another file in the place of one`() async throws {
    let cache = PictureCache { .none }
    let renderer = renderer(columns: 5)
    _ = try await cache.picture(of: try file(), by: renderer, isAsked: true).get()
    // As large, and with the same beginning.
    folder.write("other.png", Samples.quarters(400, 300))
    try #require(rename("\(folder.path)/other.png", "\(folder.path)/image.png") == 0)
    let other = try ImageFile.read("\(folder.path)/image.png", limits: ImageLimits())
    _ = try await cache.picture(of: other, by: renderer, isAsked: true).get()
    #expect(madeCount == 2)
  }

  /// Makes pictures by a program that fails in some way, and notes that it ran.
  /// - Parameter seconds: how long it may take.
  private func failing(_ end: String, seconds: Int = 1) -> ImageRenderer {
    mkdir("\(folder.path)/bin", 0o700)
    folder.write(
      "bin/chafa", "#!/bin/sh\nmkdir \"${0%/*}/made.$$\"\n\(end)\n", mode: 0o700)
    return ImageRenderer(
      size: PictureSize(columns: 5, rows: 1), graphics: .blocks, colorCount: 2,
      environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin"], seconds: seconds)
  }

  @Test(arguments: [
    ("exit 1", ImageFailure.undecodable, 1), ("exec sleep 60", .timedOut, 2),
  ])
  func `what cannot be made is made again for nobody, what was late for who asks`(
    end: String, failure: ImageFailure, count: Int
  ) async throws {
    let cache = PictureCache { .none }
    // Only one that would go on for ever is waited for to the end of its time.
    let (file, renderer) = (try file(), failing(end, seconds: failure == .timedOut ? 1 : 60))
    for isAsked in [false, false, true] {
      #expect(
        await cache.picture(of: file, by: renderer, isAsked: isAsked) == .failure(failure))
    }
    #expect(madeCount == count)
  }

  @Test func `one failure is for all who wait for the same`() async throws {
    let cache = PictureCache { .none }
    let (file, renderer) = (try file(), failing("exec sleep 60"))
    await withTaskGroup(of: Result<Picture, ImageFailure>.self) { group in
      for _ in 0..<5 {
        group.addTask { await cache.picture(of: file, by: renderer, isAsked: true) }
      }
      for await result in group { #expect(result == .failure(.timedOut)) }
    }
    #expect(madeCount == 1)
  }

  @Test func `a file that is not there is looked for again`() async throws {
    let cache = PictureCache { .none }
    // One of the cache, for a file elsewhere is another once its name has changed.
    let file = try ImageFile.read(try file().path, limits: ImageLimits(), isCached: true)
    let renderer = renderer(columns: 5)
    try #require(rename(file.path, "\(file.path).away") == 0)
    #expect(
      await cache.picture(of: file, by: renderer, isAsked: false) == .failure(.notAFile))
    try #require(rename("\(file.path).away", file.path) == 0)
    #expect((try? await cache.picture(of: file, by: renderer, isAsked: false).get()) != nil)
  }

  @Test func `makes only a few at once, and one for all who want the same`() async throws {
    let cache = PictureCache(parallelCount: 2) { .none }
    let files = try (0..<12).map { try file("\($0).png") }
    let renderer = renderer(columns: 5)
    await withTaskGroup(of: Bool.self) { group in
      for file in files + files {
        group.addTask {
          (try? await cache.picture(of: file, by: renderer, isAsked: true).get()) != nil
        }
      }
      for await isThere in group { #expect(isThere) }
    }
    #expect(madeCount == 12)
    #expect(access("\(folder.path)/bin/many", F_OK) != 0)
  }

  @Test func `who gives up while others are made makes none`() async throws {
    let cache = PictureCache(parallelCount: 1) { .none }
    let files = try (0..<100).map { try file("\($0).png") }
    let renderer = renderer(columns: 5)
    let tasks = files.map { file in
      Task { await cache.picture(of: file, by: renderer, isAsked: true) }
    }
    tasks.forEach { $0.cancel() }
    for task in tasks { #expect((try? await task.value.get()) == nil) }
    #expect(madeCount < 10)
  }
}
