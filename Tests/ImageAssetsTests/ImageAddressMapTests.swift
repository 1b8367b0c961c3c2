import ChatModel
import ImageAssets
import Testing

struct ImageAddressMapTests {
  private let map = ImageAddressMap([
    ("rooms/", "https://a.example/"), ("rooms/lobby/", "https://b.example/l/"),
  ])

  @Test(arguments: [
    ("rooms/x.png", "https://a.example/x.png"), ("rooms/lobby/x.png", "https://b.example/l/x.png"),
    ("rooms/a#b.png", "https://a.example/a%23b.png"),
    ("rooms/100%?.png", "https://a.example/100%25%3F.png"),
    ("rooms/a b\n\\.png", "https://a.example/a%20b%0A%5C.png"),
    ("rooms/고양이/a&b=c;d.png", "https://a.example/고양이/a&b=c;d.png"),
    ("https://c.example/x#y.png", "https://c.example/x#y.png"),
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
