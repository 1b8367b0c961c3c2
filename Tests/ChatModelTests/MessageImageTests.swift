import ChatModel
import Testing

@Suite struct MessageImageTests {
  private func message(_ images: [String], _ files: [(path: String, name: String)]) -> Message {
    Message(
      id: "m", profileID: "jane", images: images,
      files: files.map { FileReference(path: $0.path, name: $0.name) })
  }

  @Test func `images with the same contents keep their own names`() {
    let message = message(["x", "y", "x"], [("x", "one"), ("x", "two"), ("y", "other")])
    #expect(message.attachedImages.map(\.file?.name) == ["one", "other", "two"])
    #expect(message.attachedImages.map(\.path) == ["x", "y", "x"])
    #expect(message.otherFiles.isEmpty)
  }

  @Test func `an image that is there twice has its file twice, and one without has none`() {
    let message = message(["x", "x", "y"], [("x", "one")])
    #expect(message.attachedImages.map(\.file?.name) == ["one", "one", nil])
  }

  @Test func `a file that is no image stays one, also beside an image of the same contents`() {
    let message = message(["x"], [("z", "text"), ("x", "one"), ("x", "two")])
    #expect(message.attachedImages.map(\.file?.name) == ["one"])
    #expect(message.otherFiles.map(\.name) == ["text", "two"])
  }
}
