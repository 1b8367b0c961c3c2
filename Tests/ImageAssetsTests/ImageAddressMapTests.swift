import ChatModel
import ImageAssets
import Testing

struct ImageAddressMapTests {
  private let map = ImageAddressMap([
    ("rooms/", "https://a.example/"), ("rooms/lobby/", "https://b.example/l/"),
  ])

  @Test(arguments: [
    ("rooms/x.png", "https://a.example/x.png"), ("rooms/lobby/x.png", "https://b.example/l/x.png"),
    ("https://c.example/x.png", "https://c.example/x.png"),
    ("data:image/png;base64,AA==", "data:image/png;base64,AA=="),
  ])
  func `maps a stored path by its longest prefix`(_ path: String, _ address: String) {
    #expect(map.address(of: path) == address)
  }

  @Test(arguments: ["x.png", "", "other/rooms/x.png", "file:///etc/passwd", "Rooms/x.png"])
  func `knows no address of what is stored elsewhere`(_ path: String) {
    #expect(map.address(of: path) == nil)
  }
}
