import TestSupport
import Testing

@testable import TransportSecurity

@Suite struct Base64Tests {
  /// RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `writes and reads the examples of its RFC`(text: String, encoded: String) {
    #expect(Base64.encode(text.bytes) == encoded)
    #expect(Base64.decode(encoded) == text.bytes)
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zg===", "=", "==", "====", "A===", "Zg==Zg==", "Zm9v\n", " Zm9v", "Zm9-", "Zm9_",
    "Zh==", "Zm9=", "Z===", "Zm=v", "민수", "Zm9v====",
  ])
  func `reads nothing that it would not have written`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `reads back whatever it writes`() {
    var random = SeededRandom(seed: 64)
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
