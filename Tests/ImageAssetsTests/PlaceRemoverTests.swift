import Glibc
import TestSupport
import Testing

@testable import ImageAssets

/// Photos on their way into a room, by the real exiv2.
@Suite(.timeLimit(.minutes(5)))
struct PlaceRemoverTests {
  private let folder = TemporaryFolder()
  private let environment = ["PATH": "/usr/bin:/bin"]

  private func remover(_ environment: [String: String]? = nil) -> PlaceRemover {
    PlaceRemover(folder: "\(folder.path)/out", environment: environment ?? self.environment)
  }

  /// Real images of few pixels, the smallest that exiv2 writes to.
  static let images = [
    "jpg": "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP////////////////////////////////////////////////////"
      + "//////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgB"
      + "AQABPxA=",
    "png": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElF"
      + "TkSuQmCC",
    "webp": "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
    "tif": "SUkqAAgAAAAJAAABBAABAAAAAQAAAAEBBAABAAAAAQAAAAIBAwABAAAACAAAAAMBAwABAAAAAQAAAAYBAwAB"
      + "AAAAAQAAABEBBAABAAAAegAAABUBAwABAAAAAQAAABYBBAABAAAAAQAAABcBBAABAAAAAQAAAAAAAAB/",
  ]

  static let place = [
    "set Exif.GPSInfo.GPSLatitudeRef N", "set Exif.GPSInfo.GPSLatitude 37/1 33/1 0/1",
    "set Xmp.exif.GPSLatitude 37,33N", "set Xmp.photoshop.City Seoul",
  ]
  static let rest = [
    "set Exif.Image.Orientation 6", "set Exif.Photo.DateTimeOriginal 2026:01:01 10:00:00",
  ]

  private func photo(_ kind: String, _ changes: [String]) async throws -> String {
    let path = "\(folder.path)/my \(kind).\(kind)"
    let commands = changes.map { "-M \(quoted($0))" }.joined(separator: " ")
    let made = await Program.run(
      "printf %s '\(Self.images[kind] ?? "")' | base64 -d >\(quoted(path)) && "
        + (changes.isEmpty ? "true" : "exiv2 \(commands) mo \(quoted(path))"))
    try #require(made.status == 0, "\(made.errorText)")
    return path
  }

  /// A copy of what would be sent of a file.
  private func sent(_ path: String, by remover: PlaceRemover? = nil) async throws -> String {
    let file = try await (remover ?? self.remover()).prepare(path)
    defer { withExtendedLifetime(file) {} }
    return folder.write("sent", contents(of: file.path) ?? [])
  }

  /// What exiv2 tells of a file, sorted.
  private func metadata(_ path: String) async -> [String] {
    await Program.run("exiv2 -q -PEIXkv pr \(quoted(path))").lines.map {
      $0.split(separator: " ").joined(separator: " ")
    }.sorted()
  }

  @Test(arguments: ["jpg", "png", "webp", "tif"])
  func `takes the place out of a copy, and leaves the rest and the file`(_ kind: String)
    async throws
  {
    let path = try await photo(kind, Self.rest)
    let wanted = await metadata(path)
    let withPlace = try await photo(kind, Self.rest + Self.place)
    let before = contents(of: withPlace)
    let sent = try await sent(withPlace)
    #expect(
      await metadata(sent).filter { !$0.contains("ExifTag") }
        == wanted.filter { !$0.contains("ExifTag") })
    #expect(contents(of: withPlace) == before)
    let bytes = String(decoding: contents(of: sent) ?? [], as: UTF8.self)
    #expect(!bytes.contains("GPS") && !bytes.contains("Seoul"))
  }

  @Test func `takes out what IPTC says, and what lies within other properties`() async throws {
    let path = try await photo(
      "jpg", ["set Iptc.Application2.City Seoul", "set Iptc.Application2.Headline Hi"])
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
       xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:source>kept</dc:source>
       <Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource">
       <Iptc4xmpExt:City>Seoul</Iptc4xmpExt:City></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    folder.write("my jpg.xmp", xmp)
    try #require(await Program.run("exiv2 -iX \(quoted(path))").status == 0)
    try #require(await metadata(path).joined().contains("LocationShown[1]/Iptc4xmpExt:City"))
    let sent = try await sent(path)
    #expect(
      await metadata(sent) == ["Iptc.Application2.Headline Hi", "Xmp.dc.source kept"])
  }

  @Test func `a property that exiv2 cannot name takes all of XMP with it`() async throws {
    let path = try await photo("jpg", Self.rest)
    folder.write(
      "my jpg.xmp",
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:my="http://example.org/"><my:GPSPlace>Seoul</my:GPSPlace>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """)
    try #require(await Program.run("exiv2 -iX \(quoted(path))").status == 0)
    let sent = try await sent(path)
    #expect(await metadata(sent).map { $0.prefix(4) } == ["Exif", "Exif", "Exif"])
  }

  @Test func `a photo without a place is sent to the byte as it is`() async throws {
    for changes in [[], Self.rest] {
      let path = try await photo("jpg", changes)
      #expect(try await contents(of: sent(path)) == contents(of: path))
    }
  }

  @Test func `what is no photo is not looked at`() async throws {
    let path = folder.write("notes.txt", "Exif\0\0 GPSLatitude")
    #expect(try await remover(["PATH": "/nowhere"]).prepare(path).path == path)
    #expect(try await remover().prepare("/nowhere/photo.jpg").path == "/nowhere/photo.jpg")
  }

  @Test func `exiv2 is started only where there may be something to remove`() async throws {
    let bare = try await photo("png", [])
    // timeout(1) and prlimit(1), and nothing else.
    for name in ["timeout", "prlimit"] { symlink("/usr/bin/\(name)", "\(folder.path)/\(name)") }
    let remover = remover(["PATH": folder.path])
    #expect(try await contents(of: sent(bare, by: remover)) == contents(of: bare))
    let photo = try await photo("jpg", Self.rest)
    await #expect(throws: PlaceFailure.notInstalled(program: "exiv2")) {
      try await remover.prepare(photo)
    }
  }

  /// Bubblewrap says nothing of why it cannot start a program.
  @Test func `that exiv2 is missing is told also where bubblewrap is there`() async throws {
    for name in ["timeout", "prlimit"] { symlink("/usr/bin/\(name)", "\(folder.path)/\(name)") }
    folder.write("bwrap", "#!/bin/sh\nexit 1\n", mode: 0o700)
    let photo = try await photo("jpg", Self.place)
    await #expect(throws: PlaceFailure.notInstalled(program: "exiv2")) {
      try await remover(["PATH": folder.path]).prepare(photo)
    }
  }

  /// A second picture behind the first one, as phones append them.
  @Test func `a place that exiv2 passes over is not sent`() async throws {
    let path = try await photo("jpg", Self.place)
    let plain = try await photo("png", [])
    let second = contents(of: path) ?? []
    let first = contents(of: try await photo("jpg", [])) ?? []
    folder.write("two.jpg", first + [0xff, 0xd9] + second)
    await #expect(throws: PlaceFailure.notRemovable) {
      try await remover().prepare("\(folder.path)/two.jpg")
    }
    folder.write("odd.gif", Samples.gif(2, 2) + Array("<exif:GPSLatitude>37,33N".utf8))
    await #expect(throws: PlaceFailure.notRemovable) {
      try await remover().prepare("\(folder.path)/odd.gif")
    }
    folder.write("broken.jpg", Array(second.prefix(60)))
    await #expect(throws: PlaceFailure.unreadable) {
      try await remover().prepare("\(folder.path)/broken.jpg")
    }
    #expect(try await contents(of: sent(plain)) == contents(of: plain))
    #expect(await Program.run("ls -A \(folder.path)/out").lines == [], "no copy is left")
  }

  @Test func `a copy is for nobody else, and is gone when it is sent`() async throws {
    let path = try await photo("jpg", Self.place)
    do {
      let file = try await remover().prepare(path)
      defer { withExtendedLifetime(file) {} }
      #expect(file.path.hasPrefix(folder.path + "/out/") && file.path.hasSuffix("/my jpg.jpg"))
      let modes = await Program.run("stat -c %a \(folder.path)/out \(quoted(file.path))").lines
      #expect(modes == ["700", "600"])
    }
    #expect(await Program.run("ls -A \(folder.path)/out").lines == [])
  }

  @Test func `copies that were left behind are removed after a day`() async throws {
    _ = await Program.run(
      "cd \(folder.path); mkdir -p out/old out/new; touch out/old/x.jpg; "
        + "touch -d '2 days ago' out/old")
    _ = try await remover().prepare(try await photo("png", []))
    #expect(await Program.run("ls \(folder.path)/out").lines == ["new"])
  }

  @Test(arguments: [
    ("Exif.GPSInfo.GPSLatitude", true), ("Exif.Image.GPSTag", true),
    ("Xmp.exif.GPSAltitude", true), ("Xmp.iptc.CountryCode", true),
    ("Xmp.iptcExt.LocationCreated/Iptc4xmpExt:City", true),
    ("Iptc.Application2.SubLocation", true), ("Exif.Panasonic.Landmark", true),
    ("Exif.Photo.SubjectLocation", false), ("Exif.Photo.DateTimeOriginal", false),
    ("Exif.Image.Orientation", false), ("Xmp.dc.title", false),
  ])
  func `knows the keys that tell a place`(_ key: String, _ tells: Bool) {
    #expect(PlaceData.isNamed(by: key) == tells)
  }
}
