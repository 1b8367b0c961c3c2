import TestSupport
import Testing

@testable import ImageAssets

/// What is left of photos and films on their way into a room.
@Suite(.timeLimit(.minutes(5)))
struct BareMediaTests {
  private let folder = TemporaryFolder()

  /// What would be sent of a file.
  private func sent(_ bytes: [UInt8], named name: String = "photo") async throws -> [UInt8] {
    let remover = PlaceRemover(folder: "\(folder.path)/out", environment: [:])
    let prepared = try await remover.prepare(folder.write(name, bytes))
    #expect(prepared.tellsLess == (prepared.contents != bytes))
    return prepared.contents
  }

  /// Also where it is told in UTF-16.
  private func tellsPlace(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    return ["SECRET", "PLACE", "Latitude"].contains(where: text.contains)
  }

  /// The pixels that a terminal would get, turned as the file says.
  private func pixels(_ bytes: [UInt8]) async throws -> [String] {
    let renderer = ImageRenderer(
      size: PictureSize(columns: 10, rows: 10), graphics: .kitty, colorCount: 1 << 24,
      environment: ["PATH": "/usr/bin:/bin"])
    let file = try ImageFile.read(folder.write("decoded", bytes), limits: ImageLimits())
    return try await renderer.render(file, in: .none).get().rows
  }

  // MARK: - Photos

  @Test(
    arguments: Samples.jpegPlaces + Samples.jpegMakers + Samples.pngPlaces + Samples.gifPlaces
      + Samples.webPPlaces)
  func `nothing that tells a place is left`(_ where: String, _ photo: [UInt8]) async throws {
    let sent = try await sent(photo)
    #expect(!tellsPlace(sent))
    #expect(try await self.sent(sent) == sent)
    #expect(try await pixels(sent) == pixels(photo))
  }

  @Test(arguments: [
    Samples.jpegPhoto, Samples.pngPhoto, Samples.gifPhoto, Samples.webpPhoto,
    Samples.quarters(40, 30), Samples.movie(frames: 3),
    Samples.jpeg(with: Samples.segment(0xe2, Array("ICC_PROFILE\0\u{1}\u{1}profile".utf8))),
    Samples.png(with: Samples.checked("iCCP", [65, 0, 0] + Samples.zlib([1, 2, 3]))),
    Samples.webP(flags: 0x20, Samples.chunk("ICCP", [1, 2, 3], isWebP: true)),
  ])
  func `what tells nothing is sent to the byte as it is`(photo: [UInt8]) async throws {
    #expect(try await sent(photo) == photo)
  }

  @Test(arguments: 2...8 as ClosedRange<UInt8>)
  func `a photo that is held otherwise still is`(orientation: UInt8) async throws {
    let exif = Samples.exifWithPlace(orientation)
    let jpeg = Samples.jpeg(with: Samples.segment(0xe1, Array("Exif\0\0".utf8) + exif))
    let upright = try await pixels(Samples.jpegPhoto)
    for photo in [
      jpeg, Samples.png(with: Samples.checked("eXIf", exif)),
      Samples.webP(flags: 8, Samples.chunk("EXIF", exif, isWebP: true)),
    ] {
      let sent = try await sent(photo)
      #expect(!tellsPlace(sent))
      #expect(try await self.sent(sent) == sent)
      #expect(try await pixels(sent) == pixels(photo))
      // The block that is left: one entry, in big-endian order.
      let entry: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      #expect(sent.indices.contains { sent[$0...].starts(with: entry) })
    }
    #expect(try await pixels(sent(jpeg)) != upright)
  }

  // MARK: - HEIF and AVIF

  @Test(arguments: [
    "avif", "avis", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2",
    "msf1", "MiHB", "none",
  ])
  func `of HEIF and AVIF the pictures are left, whatever they call themselves`(brand: String)
    async throws
  {
    var photo = Samples.avifPhoto
    try #require(tellsPlace(photo))
    photo.replaceSubrange(8..<12, with: brand.utf8)
    let sent = try await sent(photo)
    #expect(!tellsPlace(sent))
    #expect(!String(decoding: sent, as: UTF8.self).contains("Exif"))
    // Rotation and mirroring are the picture's own.
    #expect(String(decoding: sent, as: UTF8.self).contains("irot"))
    #expect(try await self.sent(sent) == sent)
    #expect(sent.count == photo.count && sent.suffix(44) == photo.suffix(44))
  }

  @Test func `the pixels of AVIF stay`() async throws {
    folder.write("before.avif", Samples.avifPhoto)
    folder.write("after.avif", try await sent(Samples.avifPhoto))
    let lines = await Program.run(
      "cd \(folder.path); for name in before after; do "
        + "chafa --format symbols --colors full --size 16x16 $name.avif; echo; done"
    ).lines
    try #require(lines.count > 2 && lines.count % 2 == 0)
    #expect(lines.prefix(lines.count / 2) == lines.suffix(lines.count / 2))
  }

  // MARK: - Films

  @Test(arguments: ["isom", "mp42", "qt  ", "3gp4", "M4V ", "none"])
  func `of films pictures and sound are left`(brand: String) async throws {
    let film = Samples.film(brand: brand)
    let sent = try await sent(film)
    #expect(sent.count == film.count && !tellsPlace(sent))
    let media = Samples.filmPictures + Samples.filmSound
    let place = film.indices.first { film[$0...].starts(with: media) }
    #expect(place == sent.indices.first { sent[$0...].starts(with: media) })
    #expect(try await self.sent(sent) == sent)
  }

  @Test func `a film without a brand is one as well`() async throws {
    let start = Samples.box("wide") + Samples.box("free")
    let film = start + Samples.film().dropFirst(start.count)
    let sent = try await sent(film)
    #expect(!tellsPlace(sent) && sent != film)
  }

  @Test(arguments: ["uuid", "udta", "free", "skip", "junk", "abcd"])
  func `a film is one whatever stands before it`(type: String) async throws {
    for size in [0, 40, 5_000] {
      let before = Samples.box(type, Samples.place, [UInt8](repeating: 7, count: size))
      let film = before + Samples.film(offset: before.count)
      let sent = try await sent(film)
      #expect(sent.count == film.count && !tellsPlace(sent))
      let media = Samples.filmPictures + Samples.filmSound
      #expect(sent.indices.contains { sent[$0...].starts(with: media) })
    }
  }

  @Test(arguments: ["M4A ", "M4B ", "M4P "])
  func `a film is one whatever it calls itself, and of sound there is the sound`(brand: String)
    async throws
  {
    let film = try await sent(Samples.film(brand: brand))
    #expect(!tellsPlace(film))
    #expect(film.indices.contains { film[$0...].starts(with: Samples.filmPictures) })
    let sound = try await sent(Samples.film(brand: brand, hasPictures: false))
    #expect(!tellsPlace(sound))
    #expect(sound.indices.contains { sound[$0...].starts(with: Samples.filmSound) })
  }

  @Test(arguments: [0, 1] as [UInt8])
  func `a film does not tell when it was made`(version: UInt8) async throws {
    let film = Samples.film(version: version)
    let moment = Samples.moment(version)
    try #require(film.indices.count { film[$0...].starts(with: moment) } == 14)
    let sent = try await sent(film)
    #expect(!sent.indices.contains { sent[$0...].starts(with: moment) })
    #expect(sent.count == film.count)
    await #expect(throws: PlaceFailure.unknownKind) {
      _ = try await self.sent(Samples.film(version: 2))
    }
  }

  // MARK: - Hostile files

  @Test(arguments: [
    Samples.jpegPlaces[8].1, Samples.pngPlaces[0].1, Samples.gifPlaces[0].1,
    Samples.webPPlaces[0].1, Samples.avifPhoto, Samples.film(),
  ])
  func `whatever a file says, that it is read does no harm`(file: [UInt8]) async throws {
    var random = SeededRandom(seed: UInt64(file.count))
    for _ in 0..<3_000 {
      var file = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: file.indices, using: &random)
        file[place] =
          [0, 1, 0x7f, 0x80, 0xff, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      guard let kind = MediaKind(beginning: file),
        let bare = try? PlaceRemover.bare(file, kind)
      else { continue }
      #expect(try PlaceRemover.bare(bare, kind) == bare)
    }
  }
}
