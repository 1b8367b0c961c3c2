import ChatModel
import Testing

@testable import ImageAssets

struct ImageAddressTests {
  @Test(arguments: [
    ("http://a.example", "a.example", 80, "http://a.example/"),
    ("HTTPS://A.example/x?y#z", "A.example", 443, "https://A.example/x?y"),
    ("http://a.example:8080/x", "a.example", 8080, "http://a.example:8080/x"),
    ("http://a.example:80/x", "a.example", 80, "http://a.example/x"),
    ("http://a.example:/x", "a.example", 80, "http://a.example/x"),
    ("https://[::1]:9/x", "::1", 9, "https://[::1]:9/x"),
    ("http://a.example?x=//b@c", "a.example", 80, "http://a.example/?x=//b@c"),
    ("http://127.1/", "127.1", 80, "http://127.1/"),
    ("http://a.example/사", "a.example", 80, "http://a.example/%EC%82%AC"),
    ("http://a.example/{a,b}[1-9]", "a.example", 80, "http://a.example/{a,b}[1-9]"),
  ])
  func `reads host and port and writes the address anew`(
    _ text: String, _ host: String, _ port: UInt16, _ written: String
  ) throws {
    let address = try #require(ImageAddress(text))
    #expect(address.host == host && address.port == port && address.text == written)
  }

  @Test(arguments: [
    "", "http", "http://", "http:///x", "http:a.example", "ftp://a.example", "file:///etc/passwd",
    "httpx://a.example", "-o/tmp/x", " http://a.example", "http://a b/", "http://a/ b",
    "http://a.example\\@b.example/", "http://a.example/\n", "http://a.example/\u{7f}",
    "http://user@a.example/", "http://a:b@a.example/", "http://a@b@c/", "http://-a.example/",
    "http://a.example:0/", "http://a.example:65536/", "http://a.example:+1/",
    "http://a.example:80:80/", "http://[::1/", "http://[::1]x/", "http://[1.2.3.4]/",
    "http://[fe80::1%25lo]/", "http://::1/", "http://%31.2.3.4/", "http://사진.example/",
    "http://a.example\0/", "http://a*b/", "http://a..example\u{2028}/",
    "http://" + String(repeating: "a", count: 254),
    "http://a/" + String(repeating: "a", count: 8_192),
  ])
  func `refuses everything that could be read in two ways`(_ text: String) {
    #expect(ImageAddress(text) == nil)
  }

  @Test(arguments: [
    ("https://a.example/x", ImageSource.web("https://a.example/x")),
    ("HTTP://a.example/x", .web("HTTP://a.example/x")),
    ("data:,x", .data("data:,x")),
    ("photo.png", .stored(path: "photo.png", sha256: nil)),
    ("https:photo.png", .stored(path: "https:photo.png", sha256: nil)),
    ("ftp://a.example", .stored(path: "ftp://a.example", sha256: nil)),
  ])
  func `tells an address from a stored path`(_ image: String, _ source: ImageSource) {
    #expect(ImageSource(image) == source)
  }

  @Test func `has a key that is the digest of the address`() {
    #expect(
      ImageSource("http://a/").key
        == "282a35d7a0da6ae48eee116ad6193fa861bd88958a4c38a8042f6712ed9474f7")
    #expect(ImageSource("a").key != ImageSource("a", sha256: "a").key)
  }
}
