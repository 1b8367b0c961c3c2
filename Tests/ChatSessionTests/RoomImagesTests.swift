import Archive
import ChatModel
import Glibc
import SessionLog
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// Images that an export takes into its page.
@Suite struct RoomImagesTests {
  private let folder = TemporaryFolder()

  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]

  private func images() throws -> RoomImages {
    try #require(
      RoomImages(of: LoggedRoom(address: "file://\(folder.path)/room.jsonl", name: "room")))
  }

  private func stored(_ bytes: [UInt8], named name: String = "a.png") async throws -> FileReference
  {
    try await RoomFiles(room: "\(folder.path)/room.jsonl").store(folder.write(name, bytes))
  }

  @Test func `are what they begin as, whatever they are called`() async throws {
    let png = try await stored(Self.png)
    let image = try #require(try images().image(png))
    #expect(image.bytes == Self.png && image.mediaType == "image/png")
    let inRoom = "\(folder.path)/room.files"
    folder.write("room.files/b.jpg", Self.png)
    #expect(try images().image(FileReference(path: "b.jpg"))?.mediaType == "image/png")
    folder.write("room.files/c.png", "<svg onload=alert(1)>")
    #expect(try images().image(FileReference(path: "c.png")) == nil)
    #expect(symlink("\(inRoom)/b.jpg", "\(inRoom)/link.png") == 0)
    #expect(try images().image(FileReference(path: "link.png")) == nil)
  }

  @Test func `are left out where they are not what was sent`() async throws {
    let file = try await stored(Self.png)
    folder.write("room.files/\(file.path)", Self.png + [1])
    #expect(try images().image(file) == nil)
    folder.write("room.files/plain.png", Self.png + [1])
    #expect(try images().image(FileReference(path: "plain.png")) != nil)
    #expect(try images().image(FileReference(path: "plain.png", sha256: file.sha256)) == nil)
  }
}
