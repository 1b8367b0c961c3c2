import ChatModel
import TestSupport
import Testing
import Transport

@testable import ChatSession

@Suite struct AttachmentsTests {
  private let folder = TemporaryFolder()

  @Test func `more files than a message shows are not sent`() async throws {
    let path = folder.write("a", "x")
    let room = InMemoryRoom(events: []).endpoint()
    let attachments = Attachments(
      Settings(), Folders(environment: [:], home: folder.path), environment: [:])
    let most = EventCodec.maximumAttachments
    let files = try await attachments.prepare(Array(repeating: path, count: most), for: room)
    #expect(files.count == most)
    let error = await #expect(throws: AttachmentError.self) {
      try await attachments.prepare(Array(repeating: path, count: most + 1), for: room)
    }
    #expect(error?.exitStatus == 65 && error?.text.english.contains("send 256 at most") == true)
  }
}
