/// JPEG (ITU-T T.81, B) with nothing but the picture, its colours and its
/// orientation.
enum BareJPEG {
  /// The same picture to the bit. What follows it in the file is gone, such as
  /// the film of a motion photo.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var cursor = ByteCursor(file[...])
    let start = Array(try cursor.take(2))
    var header: [UInt8] = []
    var picture: [UInt8] = []
    picture.reserveCapacity(file.count)
    var orientation: Orientation?
    while true {
      let marker = try marker(&cursor)
      if marker == 0xd9 { break }
      let contents = try cursor.take(cursor.big(2) - 2)
      switch marker {
      case 0xe0 where contents.starts(with: "JFIF\0".utf8) && contents.count >= 14:
        // Its own thumbnail is of no size then (JFIF 1.02).
        if header.isEmpty { header = segment(marker, contents.prefix(12) + [0, 0]) }
      case 0xe1:
        if orientation == nil, contents.starts(with: "Exif\0".utf8) {
          orientation = Orientation(exif: contents)
        }
      case 0xe2 where contents.starts(with: "ICC_PROFILE\0".utf8):
        picture += segment(marker, contents)
      case 0xee where contents.starts(with: "Adobe".utf8) && contents.count >= 12:
        // How colours were transformed, and no more (TN 5116, 18).
        picture += segment(marker, contents.prefix(12))
      case 0xe0...0xef, 0xfe: break
      case 0xdc, 0xdd:
        // Numbers of lines and of intervals (B.2.4.4, B.2.5).
        guard contents.count == 2 else { throw .unreadable }
        picture += segment(marker, contents)
      case 0xc0...0xc7, 0xc9...0xcf, 0xdb: picture += segment(marker, contents)
      case 0xda:
        picture += segment(marker, contents)
        picture += try scan(&cursor)
      default: throw .unreadable
      }
    }
    if let orientation {
      header += segment(0xe1, Array("Exif\0\0".utf8) + orientation.exif)
    }
    return start + header + picture + [0xff, 0xd9]
  }

  private static func segment(_ marker: UInt8, _ contents: some Collection<UInt8>) -> [UInt8] {
    let length = contents.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + contents
  }

  /// The next one; bytes that fill come first.
  private static func marker(_ cursor: inout ByteCursor) throws(PlaceFailure) -> UInt8 {
    guard try cursor.byte() == 0xff else { throw .unreadable }
    while true {
      let marker = try cursor.byte()
      if marker != 0xff { return marker }
    }
  }

  /// Coded pixels, to the next marker that does not belong to them.
  private static func scan(_ cursor: inout ByteCursor) throws(PlaceFailure) -> ArraySlice<UInt8> {
    let rest = cursor.bytes[cursor.offset...]
    var end = rest.startIndex
    while let mark = rest[end...].firstIndex(of: 0xff), mark + 1 < rest.endIndex {
      guard rest[mark + 1] == 0 || (0xd0...0xd7).contains(rest[mark + 1]) else {
        return try cursor.take(mark - rest.startIndex)
      }
      end = mark + 2
    }
    throw .unreadable
  }
}
