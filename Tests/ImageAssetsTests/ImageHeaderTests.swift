import ChatModel
import TestSupport
import Testing

@testable import ImageAssets

struct ImageHeaderTests {
  private func check(
    _ bytes: [UInt8], _ type: ImageType, _ width: Int, _ height: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let header = ImageHeader(bytes)
    #expect(header?.type == type, sourceLocation: sourceLocation)
    #expect(
      header?.size == PixelSize(width: width, height: height), sourceLocation: sourceLocation)
  }

  @Test func `reads PNG`() {
    check(Samples.png(2, 3), .png, 2, 3)
    check(Samples.png(30_000, 30_000), .png, 30_000, 30_000)
    check(Samples.png(2, 3, animated: true), .png, 2, 3)
    #expect(ImageHeader(Samples.png(0, 3)) == nil)
    #expect(ImageHeader(Samples.png(0xffff_ffff, 3)) == nil)
  }

  @Test func `reads GIF`() {
    check(Samples.gif(0x102, 3), .gif, 0x102, 3)
    check(Samples.gif(2, 3, animated: true), .gif, 2, 3)
    #expect(ImageHeader(Samples.gif(2, 0)) == nil)
  }

  @Test func `reads all three kinds of WebP`() {
    check(Samples.webp, .webp, 16, 16)
    check(Samples.lossyWebP(0x123, 0x45), .webp, 0x123, 0x45)
    check(Samples.losslessWebP(0x1234, 0x2345), .webp, 0x1234, 0x2345)
    check(Samples.extendedWebP(0x12345, 2), .webp, 0x12345, 2)
    check(Samples.extendedWebP(1, 2, animated: true), .webp, 1, 2)
  }

  @Test func `reads JPEG behind whatever stands before the frame`() {
    check(Samples.jpeg(300, 200), .jpeg, 300, 200)
    let profile = [[UInt8]](repeating: .init(repeating: 0xff, count: 65_000), count: 20)
    check(Samples.jpeg(300, 200, before: profile.map { (0xe2, $0) }), .jpeg, 300, 200)
    check(Samples.jpeg(300, 200, frame: 0xc2), .jpeg, 300, 200)
    for marker in [0xc4, 0xc8, 0xcc] as [UInt8] {
      #expect(ImageHeader(Samples.jpeg(300, 200, frame: marker)) == nil)
    }
    #expect(ImageHeader([0xff, 0xd8, 0xff, 0xda] + Samples.jpeg(1, 1)) == nil)
  }

  @Test(arguments: 0...9, [true, false])
  func `turns a JPEG as the camera was held`(_ orientation: UInt8, _ isLittle: Bool) {
    let exif = Samples.exif(orientation, isLittle: isLittle)
    let isTurned = (5...8).contains(orientation)
    check(
      Samples.jpeg(300, 200, before: [(0xe1, exif)]), .jpeg, isTurned ? 200 : 300,
      isTurned ? 300 : 200)
  }

  @Test(arguments: [
    "", "<!DOCTYPE html><title>", "GIF88a______", "RIFF____WAVE", "\u{fffd}PNG", "BM__________",
    "<svg xmlns='http://www.w3.org/2000/svg'/>", "%PDF-1.7_____", "{\"a\": \"GIF89a\"}",
  ])
  func `knows what is no image`(_ text: String) {
    #expect(ImageType(beginning: text.utf8) == nil)
    #expect(ImageHeader(Array(text.utf8)) == nil)
  }

  @Test(arguments: Samples.all)
  func `survives every beginning of an image`(_ sample: [UInt8]) {
    let whole = ImageHeader(sample)
    for count in 0..<min(sample.count, 2_000) {
      let part = ImageHeader(Array(sample.prefix(count)))
      // What is read from a part is right, but for what has not come yet.
      #expect(part == nil || part?.size == whole?.size)
    }
  }

  @Test func `survives bytes that are changed`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<(isSoak ? 1_000_000 : 20_000) {
      var bytes = Array(random.pick(Samples.all).prefix(400))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = random.pick([
          0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random),
        ])
      }
      let size = ImageHeader(bytes)?.size
      #expect(size.map { $0.width > 0 && $0.height > 0 && $0.count > 0 } ?? true)
    }
  }

  @Test func `asks for few bytes of a hostile file`() {
    // Segments without contents, and blocks without an end.
    let many: [UInt8] = [0xff, 0xd8, 0xff] + (0..<200_000).flatMap { _ in [0xff, 0xe0, 0, 2] }
    let fill: [UInt8] = [0xff, 0xd8] + .init(repeating: 0xff, count: 500_000)
    let blocks = Samples.gif(1, 1).prefix(13) + [0x21, 0] + .init(repeating: 1, count: 500_000)
    for bytes in [many, fill, Array(blocks)] {
      var asked = 0
      let header = HeaderBytes { offset, count in
        asked += 1
        return Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
      }
      _ = ImageHeader(header)
      #expect(asked < 50_000)
    }
  }

  @Test func `counts pixels without overflow`() {
    #expect(PixelSize(width: .max, height: 2).count == .max)
  }
}
