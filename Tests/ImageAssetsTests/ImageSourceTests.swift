import ChatModel
import FileSystem
import Glibc
import TestSupport
import Testing

@testable import ImageAssets

/// Where images come from: the web, the room, their own address.
@Suite(.timeLimit(.minutes(5)))
struct ImageSourceTests {
  private let folder = TemporaryFolder()
  private let room = TemporaryFolder()

  private func library(limits: ImageLimits = ImageLimits()) -> ImageLibrary {
    let web = WebFetch(
      policy: WebServer.policy, limits: limits, environment: ["PATH": "/usr/bin:/bin"],
      lookup: NameLookup(), localNetworks: { [] })
    let room = room
    return ImageLibrary(
      cache: ImageDiskCache(folders: ["\(folder.path)/images"]), web: web, limits: limits,
      storedFile: { path, _ in try ImageFile.open("\(room.path)/\(path)") })
  }

  @Test func `an image of the web is fetched once, also by several programs`() async throws {
    let server = try await WebServer()
    let source = ImageSource(server.address("/image"))
    let file = try await library().image(source).get()
    #expect(contents(of: file.path) == Samples.picture)
    #expect(file.header == ImageHeader(Samples.picture))
    #expect(file.path == "\(folder.path)/images/\(source.key)")
    #expect(try await library().image(source).get() == file)
    #expect(server.requests.count == 1)
  }

  @Test func `keeps nothing of what is no image`() async throws {
    let server = try await WebServer()
    let library = library()
    for (path, failure) in [
      ("/page.png", ImageFailure.notAnImage), ("/broken", .undecodable),
      ("/status/500", .status(500)),
      ("/truncated", .incomplete),
    ] as [(String, ImageFailure)] {
      #expect(await library.image(ImageSource(server.address(path))) == .failure(failure))
    }
    #expect(Program.runAndWait("ls -A \(folder.path)/images").output.isEmpty)
  }

  @Test func `a prefetch that nobody wants any more ends with curl`() async throws {
    let server = try await WebServer()
    let library = library()
    await library.prefetch([ImageSource(server.address("/slow"))])
    #expect(await eventually { server.openCount == 1 })
    await library.cancelPrefetches()
    #expect(await eventually { server.openCount == 0 })
    #expect(await eventually { await library.requestCount == 0 })
    #expect(Program.runAndWait("ls -A \(folder.path)/images").output.isEmpty)
  }

  @Test func `what is being fetched at the end leaves nothing behind`() async throws {
    let server = try await WebServer()
    let library = library()
    await library.prefetch([ImageSource(server.address("/slow"))])
    #expect(await eventually { server.openCount == 1 })
    #expect(!Program.runAndWait("ls -A \(folder.path)/images").output.isEmpty)
    await library.close()
    #expect(Program.runAndWait("ls -A \(folder.path)/images").output.isEmpty)
  }

  @Test func `an image in its own address needs no fetching`() async throws {
    let source = ImageSource("data:text/plain;base64,\(base64(Samples.picture))")
    let library = library()
    await library.prefetch([source])
    #expect(await library.requestCount == 0)
    let file = try await library.image(source).get()
    #expect(contents(of: file.path) == Samples.picture)
    #expect(await library.image(ImageSource("data:,hello")) == .failure(.notAnImage))
    #expect(await library.image(ImageSource("data:,")) == .failure(.empty))
    #expect(await library.image(ImageSource("data:;base64,*")) == .failure(.badAddress))
  }

  private func base64(_ bytes: [UInt8]) -> String {
    let path = room.write("plain", bytes)
    return Program.runAndWait("base64 -w0 \(path)").text
  }

  // MARK: - The room

  @Test func `takes a stored file as it is`() async throws {
    let path = room.write("photo.txt", Samples.picture)
    let file = try await library().image(ImageSource("photo.txt")).get()
    #expect(file.path == path && file.header.type == .png)
  }

  @Test func `a stored file that is overwritten where it is, is another one`() async throws {
    let path = room.write("photo.png", Samples.png(2, 3))
    let library = library()
    let file = try await library.image(ImageSource("photo.png")).get()
    #expect(try file.open().path == path)
    #expect(Program.runAndWait("touch -r \(path) \(room.path)/time").status == 0)
    room.write("photo.png", Samples.png(3, 2))
    #expect(Program.runAndWait("touch -r \(room.path)/time \(path)").status == 0)
    #expect(throws: ImageFailure.notAFile) { _ = try file.open() }
    let other = try await library.image(ImageSource("photo.png")).get()
    #expect(other.header.size == PixelSize(width: 3, height: 2))
  }

  @Test(arguments: [
    "", "/etc/hostname", "../image.png", "a/../../image.png", "a//b", ".", "./image.png", "a/",
    "image.png\0.txt", "..",
  ])
  func `refuses a stored path that leads out of the room`(_ path: String) async {
    room.write("image.png", Samples.picture)
    #expect(await library().image(ImageSource(path)) == .failure(.notInRoom))
  }

  @Test func `refuses what is no regular file, without waiting for it`() async throws {
    let target = room.write("image.png", Samples.picture)
    try #require(mkfifo("\(room.path)/pipe", 0o600) == 0)
    try #require(symlink(target, "\(room.path)/link") == 0)
    try #require(symlink("/dev/zero", "\(room.path)/zero") == 0)
    try #require(mkdir("\(room.path)/folder", 0o700) == 0)
    for name in ["pipe", "link", "zero", "folder", "none", "image.png/x"] {
      #expect(await library().image(ImageSource(name)) == .failure(.notAFile), "\(name)")
    }
    let devices = ImageLibrary(
      cache: ImageDiskCache(folders: [folder.path]),
      web: WebFetch(policy: AddressPolicy(), limits: ImageLimits(), environment: [:]),
      storedFile: { path, _ in try ImageFile.open("/dev/\(path)") })
    for name in ["zero", "null", "tty"] {
      #expect(await devices.image(ImageSource(name)) == .failure(.notAFile), "\(name)")
    }
  }

  @Test func `refuses what is too large, or no image`() async throws {
    var limits = ImageLimits()
    limits.fileBytes = 100
    let library = library(limits: limits)
    room.write("large.png", Samples.png(2, 3) + [UInt8](repeating: 0, count: 100))
    room.write("huge.png", Samples.png(30_000, 30_000))
    room.write("text.png", "hello, this is text")
    room.write("cut.png", Array(Samples.picture.prefix(20)))
    room.write("empty.png", "")
    let expected: [String: ImageFailure] = [
      "large.png": .tooLarge(limitInBytes: 100), "text.png": .notAnImage, "cut.png": .undecodable,
      "huge.png": .tooManyPixels(PixelSize(width: 30_000, height: 30_000)), "empty.png": .empty,
    ]
    for (name, failure) in expected {
      #expect(await library.image(ImageSource(name)) == .failure(failure), "\(name)")
    }
  }

  @Test func `tells what a room says, and does not wait for it for ever`() async {
    struct Other: Error {}
    var limits = ImageLimits()
    limits.roomTime = .milliseconds(50)
    let library = ImageLibrary(
      cache: ImageDiskCache(folders: [folder.path]),
      web: WebFetch(policy: AddressPolicy(), limits: limits, environment: [:]), limits: limits,
      storedFile: { path, _ in
        switch path {
        case "known": throw ImageFailure.notInRoom
        case "other": throw Other()
        case "given-up": throw ImageFailure.cancelled
        default:
          try await Task.sleep(for: .seconds(60))
          throw Other()
        }
      })
    #expect(await library.image(ImageSource("known")) == .failure(.notInRoom))
    #expect(await library.image(ImageSource("other")) == .failure(.refusedByRoom))
    #expect(await library.image(ImageSource("given-up")) == .failure(.refusedByRoom))
    #expect(await library.image(ImageSource("late")) == .failure(.timedOut))
  }
}
