import ChatModel
import Glibc
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(2)))
struct ImageDiskCacheTests {
  private let folder = TemporaryFolder()
  private let limits = ImageLimits()

  private static let canMount =
    Program.runAndWait("unshare -m mount -t tmpfs tmpfs /mnt").status == 0

  private func key(_ name: String) -> String { ImageSource.web(name).key }

  /// An image of so many bytes.
  private func image(_ size: Int = 100) -> [UInt8] {
    Samples.png(2, 3) + [UInt8](repeating: 0, count: size - Samples.png(2, 3).count)
  }

  private func keep(
    _ name: String, _ bytes: [UInt8], in cache: ImageDiskCache
  ) async throws -> ImageFile {
    let part = try await cache.makePart()
    try part.write(bytes)
    return try await cache.keep(part, as: key(name), limits: limits)
  }

  private func names(in path: String) -> [String] {
    Program.runAndWait("ls -A \(quoted(path))").lines
  }

  @Test func `keeps an image for its owner only, under the digest of its address`() async throws {
    let path = "\(folder.path)/a/images"
    let cache = ImageDiskCache(folders: [path])
    let file = try await keep("http://a/", image(), in: cache)
    #expect(file.path == "\(path)/\(key("http://a/"))")
    #expect(file.sizeInBytes == 100 && file.header.size == PixelSize(width: 2, height: 3))
    #expect(contents(of: file.path) == image())
    #expect(await cache.image(key("http://a/"), limits: limits) == file)
    #expect(await cache.image(key("http://b/"), limits: limits) == nil)
    let modes = Program.runAndWait("umask 0; stat -c %a \(path) \(file.path)").lines
    #expect(modes == ["700", "600"])
  }

  @Test func `what is not complete has no name, and goes with its owner`() async throws {
    let cache = ImageDiskCache(folders: [folder.path])
    do {
      let part = try await cache.makePart()
      try part.write(image())
      #expect(names(in: folder.path).map { $0.hasPrefix(".incoming-") } == [true])
      #expect(await cache.image(key("x"), limits: limits) == nil)
    }
    #expect(names(in: folder.path) == [])
    await #expect(throws: ImageFailure.notAnImage) { try await keep("x", [1, 2, 3], in: cache) }
    await #expect(throws: ImageFailure.undecodable) {
      try await keep("x", Array(image().prefix(20)), in: cache)
    }
    await #expect(throws: ImageFailure.empty) { try await keep("x", [], in: cache) }
    let huge = Samples.png(30_000, 30_000)
    await #expect(throws: ImageFailure.tooManyPixels(PixelSize(width: 30_000, height: 30_000))) {
      try await keep("x", huge, in: cache)
    }
    #expect(names(in: folder.path) == [])
  }

  @Test func `a folder that was removed meanwhile is made anew`() async throws {
    let path = "\(folder.path)/a/images"
    let cache = ImageDiskCache(folders: [path])
    let part = try await cache.makePart()
    try part.write(image(300_000))
    #expect(Program.runAndWait("rm -r \(folder.path)/a").status == 0)
    let file = try await cache.keep(part, as: key("x"), limits: limits)
    #expect(file.path == "\(path)/\(key("x"))" && contents(of: file.path) == image(300_000))
    #expect(names(in: path) == [key("x")])
  }

  @Test func `removes what a program left that was killed, and not what lives`() async throws {
    let cache = ImageDiskCache(folders: [folder.path])
    folder.write(".incoming-1-1", "rest")
    folder.write(".other", "not ours")
    folder.write("notes.txt", "not ours")
    let part = try await ImageDiskCache(folders: [folder.path]).makePart()
    try part.write(image())
    _ = try await keep("x", image(), in: cache)
    let names = names(in: folder.path)
    #expect(!names.contains(".incoming-1-1"))
    #expect(names.contains(".other") && names.contains("notes.txt"))
    #expect(names.contains { $0.hasPrefix(".incoming-") })
  }

  @Test func `removes what was not used for the longest time`() async throws {
    let cache = ImageDiskCache(folders: [folder.path], limitInBytes: 450)
    for name in ["a", "b", "c", "d"] { _ = try await keep(name, image(), in: cache) }
    _ = await cache.image(key("a"), limits: limits)
    // Another program keeps to the same order.
    let other = ImageDiskCache(folders: [folder.path], limitInBytes: 450)
    _ = try await keep("e", image(151), in: other)
    let left = Set(names(in: folder.path))
    #expect(left == Set(["a", "d", "e"].map(key)))
    let few = ImageDiskCache(folders: [folder.path], limitInFiles: 2)
    _ = try await keep("f", image(), in: few)
    #expect(Set(names(in: folder.path)) == Set(["e", "f"].map(key)))
    let tiny = ImageDiskCache(folders: [folder.path], limitInBytes: 1)
    _ = try await keep("g", image(), in: tiny)
    #expect(names(in: folder.path) == [key("g")])
  }

  @Test func `a folder that cannot be made says why the one above it cannot`() async throws {
    // The system's own folder takes none from anybody.
    let cache = ImageDiskCache(folders: ["/sys/banter-test/images"])
    let failure = await #expect(throws: ImageFailure.self) { try await cache.makePart() }
    guard case .notKept(let number)? = failure else {
      Issue.record("it was made")
      return
    }
    #expect([EPERM, EACCES, EROFS].contains(number), "\(String(cString: strerror(number)))")
  }

  @Test func `an image that is looked at again is the same`() async throws {
    let cache = ImageDiskCache(folders: [folder.path])
    let kept = try await keep("a", image(), in: cache)
    for _ in 0..<2 {
      #expect(await cache.image(key("a"), limits: limits) == kept)
      #expect(await cache.isThere(kept))
    }
    _ = try await keep("a", image(), in: cache)
    #expect(await !cache.isThere(kept))
  }

  @Test func `removes what was damaged, and does not touch what is no file`() async throws {
    let cache = ImageDiskCache(folders: [folder.path])
    folder.write(key("damaged"), "\0\0\0")
    folder.write(key("empty"), "")
    let target = folder.write("target", image())
    try #require(symlink(target, "\(folder.path)/\(key("link"))") == 0)
    try #require(mkfifo("\(folder.path)/\(key("pipe"))", 0o600) == 0)
    for name in ["damaged", "empty", "link", "pipe"] {
      #expect(await cache.image(key(name), limits: limits) == nil, "\(name)")
    }
    let left = names(in: folder.path)
    #expect(!left.contains(key("damaged")) && !left.contains(key("empty")))
    #expect(left.contains(key("link")) && left.contains("target"))
    // A new one takes the place of whatever is there.
    #expect(try await keep("link", image(), in: cache).sizeInBytes == 100)
    #expect(contents(of: target) == image())
  }

  @Test func `goes to the next folder where one cannot be written to`() async throws {
    let file = folder.write("file", "")
    let good = "\(folder.path)/good"
    let cache = ImageDiskCache(folders: ["\(file)/images", "/proc/images", good])
    let image = try await keep("a", image(), in: cache)
    #expect(image.path.hasPrefix(good))
    #expect(await cache.image(key("a"), limits: limits) == image)
    let none = ImageDiskCache(folders: ["\(file)/images"])
    await #expect(throws: ImageFailure.notKept(errorNumber: ENOTDIR)) { try await none.makePart() }
    await #expect(throws: ImageFailure.notKept(errorNumber: ENOENT)) {
      try await ImageDiskCache(folders: []).makePart()
    }
  }

  @Test func `refuses a folder that is a link`() async throws {
    let other = TemporaryFolder()
    try #require(symlink(other.path, "\(folder.path)/images") == 0)
    let cache = ImageDiskCache(folders: ["\(folder.path)/images"])
    await #expect(throws: ImageFailure.notKept(errorNumber: EPERM)) { try await cache.makePart() }
  }

  @Test(.enabled(if: Self.canMount, "needs a disk of its own"))
  func `goes on in the next folder when a disk is full`() async throws {
    let full = "\(folder.path)/full"
    // 64 KiB, of which the image takes more.
    _ = await Program.run(
      "mkdir \(full) && mount -t tmpfs -o size=64k,mode=700 tmpfs \(full)")
    defer { _ = Program.runAndWait("umount \(full)") }
    let cache = ImageDiskCache(folders: [full, "\(folder.path)/next"])
    let part = try await cache.makePart()
    let bytes = image(200_000)
    for start in stride(from: 0, to: bytes.count, by: 30_000) {
      try part.write(Array(bytes[start..<min(start + 30_000, bytes.count)]))
    }
    let file = try await cache.keep(part, as: key("a"), limits: limits)
    #expect(file.path.contains("/next/"))
    #expect(contents(of: file.path) == bytes)
    #expect(names(in: full) == [])
  }

  @Test func `several programs fill and empty one folder at once`() async throws {
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        let cache = ImageDiskCache(folders: [path], limitInBytes: 1_000)
        group.addTask {
          for number in 0..<50 {
            let name = "\((number * (worker + 1)) % 20)"
            if let part = try? await cache.makePart() {
              try? part.write(image())
              _ = try? await cache.keep(part, as: key(name), limits: limits)
            }
            let found = await cache.image(key("\(number % 20)"), limits: limits)
            #expect(found == nil || found?.sizeInBytes == 100)
          }
        }
      }
    }
    let left = names(in: path)
    #expect((1...10).contains(left.count) && !left.contains { $0.hasPrefix(".") })
  }
}
