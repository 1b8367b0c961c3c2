import ChatModel
import Glibc
import ImageAssets
import TerminalText
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// What somebody asks of images.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AskedImageTests {
  private let folder = TemporaryFolder()

  /// The beginning of a PNG of 2 × 3 pixels (W3C, 5.2 and 11.2.2).
  private nonisolated static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0, 0, 0, 0, 0]

  /// A session in a room elsewhere whose message has those files.
  private func run(
    _ references: [FileReference], _ files: HeldFiles,
    _ configure: (inout Session.Parts) -> Void = { _ in }, body: (Chat) async throws -> Void
  ) async throws {
    let room = try RoomAddress("tls://example.org/team")
    try await Chat.run(in: [Self.said(references)]) { parts in
      parts.room = room
      parts.transport = RoomWithFiles(parts.transport, files)
      parts.settings.prefetch = .off
      parts.transcript.columns = 1_000
      configure(&parts)
    } body: { chat in
      await chat.prompt.wait(for: "look")
      try await body(chat)
    }
  }

  private nonisolated static func said(_ files: [FileReference]) -> Event {
    var message = Message(
      id: "m", profileID: "jane", content: "look", images: files.map(\.path), files: files)
    message.createdAt = Timestamp(milliseconds: 1_795_999_000_000)
    return .message(message)
  }

  @Test func `what is too large to be shown is saved and opened all the same`() async throws {
    let source = folder.write("0f.png", Self.png)
    let large = FileReference(path: "0f.png", name: "cat.png", sizeInBytes: 20_000_001)
    let files = HeldFiles(["0f.png": source])
    try await run([large], files) {
      $0.environment = ["PATH": "/usr/bin:/bin"]
      $0.settings.imageViewer = ["sh", "-c", "cp \"$1\" '\(folder.path)/opened'; exit 3", "-"]
    } body: { chat in
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "image 1 of 1: cat.png, it is larger than 20.0 MB")
      #expect(await files.asked.isEmpty)
      chat.prompt.enter("/images save \(folder.path)")
      await chat.prompt.wait(for: "saved as \(folder.path)/cat.png")
      #expect(folder.read("cat.png") == Self.png)
      chat.prompt.enter("/images open")
      await chat.prompt.wait(for: "sh ended with status 3")
      #expect(folder.read("opened") == Self.png)
    }
  }

  @Test(arguments: ["open", "save /tmp"])
  func `what cannot be opened or saved is told of by its name`(words: String) async throws {
    let files = ["a.png", "b.png"].map { FileReference(path: $0, name: "my \($0)") }
    try await run(files, HeldFiles()) { chat in
      chat.prompt.enter("/images \(words)")
      await chat.prompt.wait(for: "my a.png: the file of this image is not there")
      await chat.prompt.wait(for: "my b.png: the file of this image is not there")
    }
  }

  @Test(.enabled(if: access("/usr/bin/chafa", X_OK) == 0))
  func `who asks for a picture sees it, also where none are shown by themselves`() async throws {
    let source = folder.write("a.png", Self.png)
    try await run([FileReference(path: "a.png")], HeldFiles(["a.png": source])) {
      $0.environment = ["PATH": "/usr/bin:/bin"]
      $0.settings.inlineImages = .off
      $0.settings.graphics = .blocks
    } body: { chat in
      chat.prompt.showsPictures = true
      chat.prompt.enter("/images")
      // It was tried: only its beginning is there.
      await chat.prompt.wait(for: "this image cannot be read")
    }
  }

  @Test func `all images are a line each where no picture can be made`() async throws {
    let source = folder.write("a.png", Self.png)
    for hasPictures in [false, true] {
      let files = HeldFiles(["a.png": source])
      try await run([FileReference(path: "a.png"), FileReference(path: "b.png")], files) {
        $0.environment = ["PATH": folder.path]
        $0.settings.graphics = .blocks
      } body: { chat in
        let number = chat.number(of: "m")
        chat.prompt.showsPictures = hasPictures
        chat.prompt.enter("/images all")
        await chat.prompt.wait(for: "\(number).1 a.png, 2×3, image/png")
        await chat.prompt.wait(for: "\(number).2 b.png, the file of this image is not there")
        await chat.prompt.wait(for: hasPictures ? "install " : "open shows one outside")
      }
    }
  }

  @Test func `an image that comes and is too large has its line too`() async throws {
    let limit: Int64 = 20_000_000
    try await run([], HeldFiles()) {
      $0.settings.inlineImages = .thumbnails
      $0.settings.graphics = .blocks
      $0.settings.prefetch = .room
    } body: { chat in
      chat.prompt.showsPictures = true
      var message = Message(id: "n", profileID: "jane", content: "large", images: ["big.png"])
      message.files = [FileReference(path: "big.png", sizeInBytes: limit + 1)]
      message.createdAt = Timestamp(milliseconds: 1_795_999_000_001)
      await chat.room.append(.message(message))
      await chat.prompt.wait(for: "big.png: it is larger than 20.0 MB")
    }
  }

  @Test func `only so many are fetched ahead of what is shown`() async throws {
    let paths = (0..<8).map { "\($0).png" }
    let files = HeldFiles(isHolding: true)
    try await run(paths.map { FileReference(path: $0) }, files) {
      $0.settings.parallelFetches = 3
    } body: { chat in
      chat.prompt.enter("/images")
      await files.waitUntilAsked(3)
      // The first is still waited for.
      await files.release("1.png")
      await files.release("2.png")
      #expect(await eventually { await files.heldCount == 1 })
      #expect(await files.asked == ["0.png", "1.png", "2.png"])
      await files.release()
      await chat.prompt.wait(for: "image 8 of 8")
    }
  }
}
