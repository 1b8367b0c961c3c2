import Testing

@testable import ImageAssets

/// What is left of the sound of films.
@Suite(.timeLimit(.minutes(5)))
struct SoundTrackTests {
  private func sent(sound entry: [UInt8]) throws -> [UInt8] {
    let film = Samples.film(sound: entry)
    let sent = try PlaceRemover.bare(film, .baseMedia)
    #expect(sent.count == film.count)
    #expect(try PlaceRemover.bare(sent, .baseMedia) == sent)
    return sent
  }

  private func has(_ part: [UInt8], _ film: [UInt8]) -> Bool {
    film.indices.contains { film[$0...].starts(with: part) }
  }

  @Test func `boxes that say how sound is coded stay, and no others`() throws {
    let known = Samples.box("chan", [1, 2, 3, 4])
    let end = Samples.box("\0\0\0\0")
    let wave = Samples.box(
      "wave", Samples.box("frma", Array("sowt".utf8)), Samples.box("name", Samples.place), end)
    // The numbers of a stream, and its titles.
    let flac = Samples.box(
      "dfLa", [0, 0, 0, 0], [0, 0, 0, 2, 7, 7],
      [0x84, 0, 0, UInt8(Samples.place.count)] + Samples.place)
    let sent = try sent(
      sound: Samples.soundEntry(
        "sowt", channels: 5, known, Samples.box("pinf", Samples.place), wave, flac,
        Samples.box("udta", Samples.box("\u{a9}xyz", Samples.place))))
    #expect(!has(Samples.place, sent) && has(known, sent))
    #expect(has(Samples.box("frma", Array("sowt".utf8)), sent) && has(end, sent))
    #expect(has([0, 0, 0, 2, 7, 7, 0x81, 0, 0, UInt8(Samples.place.count), 0], sent))
    #expect(has(Samples.filmSound, sent))
  }

  @Test func `what stands behind sound that is not compressed is none`() throws {
    let entries = [
      // Two frames of so many channels, of two bytes or three each.
      Samples.soundEntry("twos", channels: 4), Samples.soundEntry("in24", channels: 2),
      Samples.soundEntry("raw ", channels: 7),
    ]
    for (entry, count) in zip(entries, [16, 12, 14]) {
      let sent = try sent(sound: entry)
      let left = Samples.filmSound.prefix(count) + [UInt8](repeating: 0, count: 20 - count)
      #expect(has(Samples.filmPictures + left, sent))
    }
  }

  @Test func `QuickTime's longer entries say how much a packet takes`() throws {
    func number(_ value: Int) -> [UInt8] { Samples.big(value, 4) }
    let start = [UInt8](repeating: 0, count: 8)
    let rest = [UInt8](repeating: 0, count: 18)
    // One packet of two samples, and two of one.
    let entries = [
      Samples.box("ima4", start + [0, 1] + rest, number(2) + number(9) + number(18) + number(2)),
      Samples.box(
        "lpcm", start + [0, 2] + rest, [UInt8](repeating: 0, count: 28), number(6) + number(1)),
    ]
    for (entry, count) in zip(entries, [18, 12]) {
      let sent = try sent(sound: entry)
      let left = Samples.filmSound.prefix(count) + [UInt8](repeating: 0, count: 20 - count)
      #expect(has(Samples.filmPictures + left, sent))
    }
  }

  @Test func `sound of which nobody knows how long it is is not sent`() {
    #expect(throws: PlaceFailure.unknownKind) {
      try sent(sound: Samples.soundEntry("abcd", channels: 2))
    }
    #expect(throws: PlaceFailure.unreadable) {
      try sent(sound: Samples.soundEntry("in32", channels: 200))
    }
  }

  @Test(arguments: [SampleTable.limit, SampleTable.limit + 1])
  func `a film has only so many pieces`(count: Int) throws {
    func table(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
      Samples.box(type, [0, 0, 0, 0], Array(contents.joined()))
    }
    func number(_ value: Int) -> [UInt8] { Samples.big(value, 4) }
    let handler = Samples.box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8))
    let tables = Samples.box(
      "stbl", table("stsc", number(1), number(1) + number(0) + number(1)),
      table("stsz", number(1), number(0)),
      table("stco", number(count), [UInt8](repeating: 0, count: 4 * count)))
    let track = Samples.box("trak", Samples.box("mdia", handler, Samples.box("minf", tables)))
    let samples = SampleTable(track, try #require(try Box.all(in: track, 0..<track.count).first))
    if count == SampleTable.limit {
      #expect(try samples.chunks().count == count)
    } else {
      #expect(throws: PlaceFailure.unreadable) { try samples.chunks() }
    }
  }
}
