/// Boxes of ISO base media files.
extension Samples {
  static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
    let contents = Array(contents.joined())
    return big(contents.count + 8, 4) + Array(type.utf8) + contents
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Coded pictures and sound of a film, H.264 by their units; no decoder would take
  /// them.
  static let filmPictures =
    big(6, 4) + [0x65] + [UInt8](repeating: 0xaa, count: 5)
    + big(16, 4) + [0x41] + [UInt8](repeating: 0xaa, count: 15)
  static let filmSound = [UInt8](repeating: 0xbb, count: 20)

  private static func track(
    _ handler: String, _ entry: [UInt8], sizes: [UInt8], at offset: Int, version: UInt8,
    beside: [UInt8] = []
  ) -> [UInt8] {
    let name = zeros(8) + Array(handler.utf8) + zeros(12) + place + [0]
    let table = box(
      "stbl", box("stsd", zeros(4) + big(1, 4), entry), box("stts", zeros(8)),
      box("stsc", zeros(4) + big(1, 4) + big(1, 4) + big(2, 4) + big(1, 4)),
      box("stsz", zeros(4), sizes), box("stco", zeros(4) + big(1, 4) + big(offset, 4)))
    let reference = box("dinf", box("dref", zeros(4) + big(1, 4), box("url ", [0, 0, 0, 1])))
    return box(
      "trak", box("tkhd", times(version) + zeros(72)), beside,
      box(
        "mdia", box("mdhd", times(version) + zeros(12)), box("hdlr", name),
        box("minf", reference, table)))
  }

  /// When something was made, as headers tell it in that version.
  static func moment(_ version: UInt8) -> [UInt8] {
    (version == 1 ? zeros(4) : []) + [0xe1, 0x5e, 0xc4, 0xe7]
  }

  /// The beginning of a header: when it was made, and changed.
  private static func times(_ version: UInt8) -> [UInt8] {
    [version, 0, 0, 0] + moment(version) + moment(version)
  }

  /// Two samples of five channels, of two bytes each.
  static let filmSoundEntry = soundEntry("sowt", channels: 5)

  static func soundEntry(_ type: String, channels: UInt8, _ boxes: [UInt8]...) -> [UInt8] {
    box(type, zeros(16) + [0, channels] + zeros(10), Array(boxes.joined()))
  }

  /// A film with pictures, sound and the places where it was, which is hidden in
  /// all ways that films know.
  static let filmWithPlace = film()

  static func film(
    brand: String = "isom", codec: String = "avc1", fragment: [UInt8] = [], offset before: Int = 0,
    hasPictures: Bool = true, version: UInt8 = 0, pictures coded: [UInt8] = filmPictures,
    parameters: [UInt8] = box("avcC", [1, 100, 0, 10, 0xff]), sound: [UInt8] = filmSoundEntry
  ) -> [UInt8] {
    let start = box("ftyp", Array(brand.utf8) + zeros(4)) + box("uuid", place, place)
    let offset = before + start.count + 8
    let store = place + coded + filmSound + place
    let picture = box(
      codec, zeros(42) + [11] + place + zeros(24), parameters, box("priv", place))
    let pictures = track(
      "vide", picture, sizes: zeros(4) + big(2, 4) + big(10, 4) + big(coded.count - 10, 4),
      at: offset + place.count,
      version: version, beside: box("udta", box("loci", place)))
    let movie = box(
      "moov", box("mvhd", times(version) + zeros(88)), hasPictures ? pictures : [],
      track(
        "soun", sound, sizes: big(1, 4) + big(2, 4), at: offset + place.count + coded.count,
        version: version),
      track(
        "text", box("text", place), sizes: zeros(4) + big(2, 4) + big(5, 4) + big(6, 4),
        at: offset + place.count + coded.count + filmSound.count, version: version),
      box("udta", box("\u{a9}xyz", place)), box("meta", zeros(4), box("ilst", place)))
    let handler = box("hdlr", zeros(8) + Array("mdir".utf8) + zeros(13))
    return start + box("mdat", store) + fragment + movie + box("free", place)
      + box("meta", zeros(4), handler, box("ilst", place))
  }
}
