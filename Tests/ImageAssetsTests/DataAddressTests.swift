import Testing

@testable import ImageAssets

struct DataAddressTests {
  private func bytes(_ address: String, most: Int = 100) throws -> [UInt8] {
    var limits = ImageLimits()
    limits.fileBytes = most
    return try DataAddress.bytes(of: address, limits: limits)
  }

  @Test(arguments: [
    ("data:,abc", "abc"), ("data:text/plain,a%62%63", "abc"), ("data:,", ""),
    ("data:image/png;base64,YWJj", "abc"), ("DATA:;BASE64,YWI=", "ab"), ("data:;base64,YWI", "ab"),
    ("data:;base64,YW%49%3D", "ab"), ("data:;base64, Y W\tI =", "ab"),
    ("data:;base64;x,YWI", "YWI"),
    ("data:a,b,c", "b,c"),
  ])
  func `reads what is written plainly and in base64`(_ address: String, _ text: String) throws {
    #expect(try bytes(address) == Array(text.utf8))
  }

  @Test(arguments: [
    "data:", "data:abc", "data:,%", "data:,%4", "data:,%4g", "data:,%-1", "data:;base64,!",
    "data:;base64,A", "data:;base64,====", "data:;base64,YW=I",
  ])
  func `refuses what is written wrongly`(_ address: String) {
    #expect(throws: ImageFailure.badAddress) { try bytes(address) }
  }

  @Test(arguments: [
    "data:,abcd", "data:;base64,YWJjZA==", "data:," + String(repeating: "%41", count: 99),
  ])
  func `refuses what is too large`(_ address: String) {
    #expect(throws: ImageFailure.tooLarge(limitInBytes: 3)) { try bytes(address, most: 3) }
  }
}
