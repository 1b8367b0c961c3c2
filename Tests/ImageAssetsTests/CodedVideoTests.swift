import TestSupport
import Testing

@testable import ImageAssets

/// What cameras write between the pictures and the sound of films.
@Suite(.timeLimit(.minutes(5)))
struct CodedVideoTests {
  private func sent(_ film: [UInt8]) throws -> [UInt8] {
    let sent = try PlaceRemover.bare(film, .baseMedia)
    #expect(sent.count == film.count)
    #expect(try PlaceRemover.bare(sent, .baseMedia) == sent)
    return sent
  }

  private func has(_ part: [UInt8], _ film: [UInt8]) -> Bool {
    film.indices.contains { film[$0...].starts(with: part) }
  }

  private func unit(_ header: [UInt8], _ contents: [UInt8]) -> [UInt8] {
    Samples.big(header.count + contents.count, 4) + header + contents
  }

  /// A message of supplemental information.
  private func message(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type, UInt8(payload.count)] + payload
  }

  /// Two numbers with a byte between that keeps a unit's beginning out.
  private let escaped: [UInt8] = [0, 0, 3, 1, 7]

  // MARK: - H.264

  private let picture = Samples.big(6, 4) + [0x65] + [UInt8](repeating: 0xaa, count: 5)

  @Test(arguments: [4, 5, 1, 200])
  func `messages of H.264 that may tell a place become filler`(type: UInt8) throws {
    let units =
      unit([6], message(6, [0x80]) + message(type, Samples.place) + [0x80])
      + unit([6], message(6, [0x80]) + [0x80])
    let sent = try sent(Samples.film(pictures: picture + units + picture))
    #expect(!has(Samples.place, sent))
    let filler = [UInt8](repeating: 0xff, count: 5 + Samples.place.count)
    let left = unit([0x0c], filler + [0x80]) + unit([6], message(6, [0x80]) + [0x80])
    #expect(has(picture + left + picture, sent))
  }

  @Test func `units of H.264 that nobody knows become filler, known messages stay`() throws {
    let kept = unit([6], message(6, [0x80]) + message(45, [0, 0, 1, 7]) + [0x80])
    // With the byte that a decoder takes out it is as long as it says.
    let written = unit([6], message(6, [0x80]) + [45, 4] + escaped + [0x80])
    #expect(has(written, try sent(Samples.film(pictures: picture + written))))
    #expect(has(kept, try sent(Samples.film(pictures: picture + kept))))
    for odd in [
      unit([0x18], Samples.place), unit([6], message(6, [0x80]) + [0x80] + Samples.place),
      unit([6], message(137, Samples.place + [UInt8](repeating: 1, count: 60)) + [0x80]),
    ] {
      #expect(!has(Samples.place, try sent(Samples.film(pictures: picture + odd))))
    }
  }

  @Test func `a film whose units nobody finds is not sent`() throws {
    for pictures in [picture + [0, 0, 0, 9, 0x65, 1], picture + [0, 0, 0, 2, 1]] {
      #expect(throws: PlaceFailure.unreadable) { try sent(Samples.film(pictures: pictures)) }
    }
    #expect(throws: PlaceFailure.unknownKind) { try sent(Samples.film(parameters: [])) }
  }

  // MARK: - HEVC and AV1

  @Test(arguments: [39, 40] as [UInt8])
  func `messages of HEVC that may tell a place become filler, also beside the samples`(
    type: UInt8
  ) throws {
    let picture = unit([0x26, 1], [0xaa, 0xaa, 0xaa, 0xaa])
    let said = message(5, Samples.place) + [0x80]
    let header = [type << 1, 1]
    let kept = unit(header, message(137, [1, 2, 3]) + [0x80])
    let beside: [UInt8] = [type, 0, 1] + Samples.big(said.count + 2, 2) + header + said
    let parameters = Samples.box(
      "hvcC", [UInt8](repeating: 1, count: 21) + [0xff & 3, 1] + beside)
    let sent = try sent(
      Samples.film(
        codec: "hvc1", pictures: picture + unit(header, said) + kept, parameters: parameters))
    #expect(!has(Samples.place, sent))
    let filler: [UInt8] = [0x4c, 1] + [UInt8](repeating: 0xff, count: said.count - 1) + [0x80]
    #expect(has(picture + Samples.big(filler.count, 4) + filler + kept, sent))
    #expect(has([38, 0, 1] + Samples.big(filler.count, 2) + filler, sent))
  }

  @Test func `metadata of AV1 that may tell a place becomes padding`() throws {
    func unit(_ type: UInt8, _ contents: [UInt8]) -> [UInt8] {
      [type << 3 | 2, UInt8(contents.count)] + contents
    }
    let picture = unit(2, []) + unit(6, [0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa])
    let kept = unit(5, [2, 1, 1, 0x80])
    let said = [4] + Samples.place + [0x80]
    let parameters = Samples.box("av1C", [0x81, 0, 0, 0] + unit(5, said))
    let sent = try sent(
      Samples.film(
        codec: "av01", pictures: picture + unit(5, said) + kept + unit(9, Samples.place),
        parameters: parameters))
    #expect(!has(Samples.place, sent))
    let padding = [UInt8](repeating: 0, count: said.count - 1) + [0x80]
    #expect(has(picture + unit(15, padding) + kept, sent))
    #expect(has([0x81, 0, 0, 0] + unit(15, padding), sent))
    // Of one that does not tell its length nobody knows where it ends.
    #expect(throws: PlaceFailure.unknownKind) {
      try self.sent(
        Samples.film(
          codec: "av01", pictures: picture + [6 << 3, 0xaa, 0xaa], parameters: parameters))
    }
  }
}
