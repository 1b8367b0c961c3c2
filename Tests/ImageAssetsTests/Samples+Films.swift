/// Boxes of ISO base media files.
extension Samples {
  static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] {
    let contents = Array(contents.joined())
    return big(contents.count + 8, 4) + Array(type.utf8) + contents
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Coded pictures and sound of a film; no decoder would take them.
  static let filmPictures = [UInt8](repeating: 0xaa, count: 30)
  static let filmSound = [UInt8](repeating: 0xbb, count: 20)

  private static func track(
    _ handler: String, _ entry: [UInt8], sizes: [UInt8], at offset: Int, beside: [UInt8] = []
  ) -> [UInt8] {
    let name = zeros(8) + Array(handler.utf8) + zeros(12) + place + [0]
    let table = box(
      "stbl", box("stsd", zeros(4) + big(1, 4), entry), box("stts", zeros(8)),
      box("stsc", zeros(4) + big(1, 4) + big(1, 4) + big(2, 4) + big(1, 4)),
      box("stsz", zeros(4), sizes), box("stco", zeros(4) + big(1, 4) + big(offset, 4)))
    let reference = box("dinf", box("dref", zeros(4) + big(1, 4), box("url ", [0, 0, 0, 1])))
    return box(
      "trak", box("tkhd", zeros(84)), beside,
      box("mdia", box("mdhd", zeros(24)), box("hdlr", name), box("minf", reference, table)))
  }

  /// A film with pictures, sound and the places where it was, which is hidden in
  /// all ways that films know.
  static let filmWithPlace = film()

  static func film(
    brand: String = "isom", codec: String = "avc1", fragment: [UInt8] = []
  ) -> [UInt8] {
    let start = box("ftyp", Array(brand.utf8) + zeros(4)) + box("uuid", place, place)
    let offset = start.count + 8
    let store = place + filmPictures + filmSound + place
    let picture = box(
      codec, zeros(42) + [11] + place + zeros(24), box("avcC", [1]), box("priv", place))
    let movie = box(
      "moov", box("mvhd", zeros(100)),
      track(
        "vide", picture, sizes: zeros(4) + big(2, 4) + big(10, 4) + big(20, 4), at: offset + 11,
        beside: box("udta", box("loci", place))),
      track("soun", box("sowt", zeros(28)), sizes: big(1, 4) + big(2, 4), at: offset + 41),
      track(
        "text", box("text", place), sizes: zeros(4) + big(2, 4) + big(5, 4) + big(6, 4),
        at: offset + 61),
      box("udta", box("\u{a9}xyz", place)), box("meta", zeros(4), box("ilst", place)))
    let handler = box("hdlr", zeros(8) + Array("mdir".utf8) + zeros(13))
    return start + box("mdat", store) + fragment + movie + box("free", place)
      + box("meta", zeros(4), handler, box("ilst", place))
  }
}
