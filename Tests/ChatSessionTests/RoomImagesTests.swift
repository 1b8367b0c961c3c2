import Archive
import ChatModel
import Glibc
import SessionLog
import TerminalText
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// Images that an export takes into its page.
@Suite struct RoomImagesTests {
  private let folder = TemporaryFolder()

  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]

  private var address: String { "file://\(folder.path)/room.jsonl" }

  /// What an image is in a page: nothing where it is left out.
  private func found(_ file: FileReference, of room: String? = nil) -> EmbeddedImage? {
    let images = RoomImages(fetchedFiles: "\(folder.path)/cache", language: .english)
    guard case .embedded(let image) = images.image(file, of: room ?? address) else { return nil }
    return image
  }

  private func stored(_ bytes: [UInt8], named name: String = "a.png") async throws -> FileReference
  {
    try await RoomFiles(room: "\(folder.path)/room.jsonl").store(folder.write(name, bytes))
  }

  @Test func `are what they begin as, whatever they are called`() async throws {
    let png = try await stored(Self.png)
    let image = try #require(found(png))
    #expect(image.bytes == Self.png && image.mediaType == "image/png")
    let inRoom = "\(folder.path)/room.files"
    folder.write("room.files/b.jpg", Self.png)
    #expect(found(FileReference(path: "b.jpg"))?.mediaType == "image/png")
    folder.write("room.files/c.png", "<svg onload=alert(1)>")
    #expect(found(FileReference(path: "c.png")) == nil)
    #expect(symlink("\(inRoom)/b.jpg", "\(inRoom)/link.png") == 0)
    #expect(found(FileReference(path: "link.png")) == nil)
  }

  @Test func `are left out where they are not what was sent`() async throws {
    let file = try await stored(Self.png)
    folder.write("room.files/\(file.path)", Self.png + [1])
    #expect(found(file) == nil)
    folder.write("room.files/plain.png", Self.png + [1])
    #expect(found(FileReference(path: "plain.png")) != nil)
    #expect(found(FileReference(path: "plain.png", sha256: file.sha256)) == nil)
  }

  @Test func `why one is left out is told`() async throws {
    folder.write("large.png", Self.png)
    #expect(truncate("\(folder.path)/large.png", 5_000_001) == 0)
    let large = try await RoomFiles(room: "\(folder.path)/room.jsonl").store(
      "\(folder.path)/large.png")
    let images = RoomImages(fetchedFiles: "\(folder.path)/cache", language: .english)
    let file = try await stored(Self.png, named: "b.png")
    folder.write("room.files/\(file.path)", Self.png + [1])
    folder.write("room.files/text.png", "text")
    for file in [
      large, file, FileReference(path: "none.png"), FileReference(path: "text.png", name: "cat"),
    ] {
      guard case .leftOut = images.image(file, of: address) else {
        Issue.record("\(file) is there")
        continue
      }
    }
    #expect(
      images.leftOut.map { "\($0.name), \($0.sizeInBytes ?? -1): \($0.reason)" } == [
        "large.png, 5000001: larger than 5.0 MB", "b.png, 12: not what was sent",
        "none.png, -1: not on this machine", "cat, -1: no image that a page takes",
      ])
    guard case .named = images.image(FileReference(path: "https://x.example/a.png"), of: address)
    else {
      Issue.record("an address stands for itself")
      return
    }
    #expect(images.leftOut.count == 4)
  }

  @Test func `of rooms elsewhere, those are there that were fetched`() async throws {
    let file = try await stored(Self.png)
    let digest = try #require(file.sha256)
    try #require(mkdir("\(folder.path)/cache", 0o700) == 0)
    try #require(mkdir("\(folder.path)/cache/hub", 0o700) == 0)
    let elsewhere = "tcp://hub.example:1/lobby"
    #expect(found(file, of: elsewhere) == nil)
    folder.write("cache/hub/\(digest)", Self.png)
    #expect(found(file, of: elsewhere)?.bytes == Self.png)
    folder.write("cache/hub/\(digest)", Self.png + [1])
    #expect(found(file, of: elsewhere) == nil)
    #expect(found(FileReference(path: "../hub/\(digest)"), of: elsewhere) == nil)
  }
}
