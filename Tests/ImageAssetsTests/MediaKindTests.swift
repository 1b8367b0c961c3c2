import TestSupport
import Testing

@testable import ImageAssets

/// Files that are not sent, and files that are sent as they are.
@Suite(.timeLimit(.minutes(5)))
struct MediaKindTests {
  private let folder = TemporaryFolder()

  private func send(_ bytes: [UInt8]) async throws {
    let remover = PlaceRemover(folder: "\(folder.path)/out", environment: [:])
    _ = try await remover.prepare(folder.write("photo", bytes))
  }

  private static let opaque: [[UInt8]] =
    [
      [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0x43, 0x52], [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
      [0x49, 0x49, 0x2b, 0, 8, 0, 0, 0], [0x4d, 0x4d, 0, 0x2b, 0, 8, 0, 0],
      [0x49, 0x49, 0x55, 0, 24, 0, 0, 0], [0x49, 0x49, 0xbc, 1, 8, 0, 0, 0],
      Array("IIRO\u{8}\0\0\0".utf8), Array("MMOR\0\0\0\u{8}".utf8),
      Array("FUJIFILMCCD-RAW 0201".utf8), Array("8BPS\0\u{1}".utf8), [0xff, 0x0a, 0xfa, 0x7f],
      [0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0a],
      [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0a],
      [0xff, 0x4f, 0xff, 0x51], [0x1a, 0x45, 0xdf, 0xa3, 0x93],
      Array("RIFF\u{8}\0\0\0AVI LIST".utf8), [0xff, 0xd8, 0, 0],
    ] + [
      [UInt8](repeating: 0x47, count: 800),
      Samples.film(fragment: Samples.box("moof", Samples.place)), Samples.film(codec: "CRAW"),
      Samples.film(codec: "mjpa"), Samples.box("ftyp", Array("isom".utf8)),
      Array("\n".utf8) + Samples.jpegPhoto, Array(" \r\n\t".utf8) + Samples.pngPhoto,
      Array("\n".utf8) + Samples.avifPhoto,
      Array("OggS\0\u{2}".utf8), Array(".RMF\0\0\0\u{12}".utf8), Array(".ra".utf8) + [0xfd, 0, 4],
      Array("nut/multimedia container\0".utf8), [0x06, 0x0e, 0x2b, 0x34, 2, 5, 1, 1],
      Array("DKIF\0\0 \0VP80".utf8), Array("RIFF\u{8}\0\0\0AMV LIST".utf8),
      [0, 0, 0, 1, 0x67, 0x64], [0, 0, 1, 0xb0, 1], [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0],
      [0xef, 0xbb, 0xbf] + Samples.jpegPhoto, [0xff, 0xfe] + Samples.jpegPhoto,
      [0xfe, 0xff] + Samples.pngPhoto, [0, 0, 0] + Samples.jpegPhoto,
      [0xef, 0xbb, 0xbf, 0, 0x0a] + Samples.gifPhoto,
    ]

  @Test(arguments: opaque)
  func `what may tell a place anywhere is not sent`(file: [UInt8]) async throws {
    await #expect(throws: PlaceFailure.unknownKind) { try await send(file) }
  }

  @Test(arguments: [
    Samples.jpegPhoto, Samples.pngPhoto, Samples.webpPhoto, Samples.avifPhoto, Samples.film(),
  ])
  func `what breaks off is not sent`(file: [UInt8]) async throws {
    for count in [16, 40, file.count - 1] {
      await #expect(throws: PlaceFailure.self) { try await send(Array(file.prefix(count))) }
    }
  }

  @Test func `what is between the parts of a photo is not sent`() async throws {
    let photo = Samples.jpegPhoto.prefix(20) + Samples.place + Samples.jpegPhoto.dropFirst(20)
    await #expect(throws: PlaceFailure.unreadable) { try await send(Array(photo)) }
  }

  @Test(arguments: [
    "", "GPSLatitude 37.5", "are free", "the JXL format", "The new AVI is", "FUJIFILM X100",
    "%PDF-1.7", "PK\u{3}\u{4}", "<svg xmlns='http://www.w3.org/2000/svg'/>", "MMMM", "ID3\u{3}",
    "\u{feff}are free", "\0\0\0\0\0\0\0\0", "nut/multi", "\u{7f}ELF\u{2}\u{1}\u{1}",
    "RIFF\u{8}\0\0\0WAVEfmt ",
  ])
  func `what is neither photo nor film is sent as it is`(text: String) async throws {
    let path = folder.write("notes", Array(text.utf8))
    let remover = PlaceRemover(folder: "/nowhere", environment: [:])
    let prepared = try await remover.prepare(path)
    #expect(prepared.contents == Array(text.utf8) && !prepared.tellsLess)
  }
}
