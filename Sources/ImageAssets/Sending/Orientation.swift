/// How a photo was held, by Exif (CIPA DC-008, 4.6.4): 1, as it is, to 8.
struct Orientation {
  private let number: Int

  /// Nil where a block of Exif tells none, or that the photo stands as it is.
  /// - Parameter exif: from the order of its bytes on, or from `Exif` on.
  init?(exif: ArraySlice<UInt8>) {
    let tiff = exif.starts(with: "Exif\0\0".utf8) ? exif.dropFirst(6) : exif
    let bytes = HeaderBytes { offset, count in Array(tiff.dropFirst(offset).prefix(count)) }
    guard let number = ImageHeader.orientation(bytes, tiff: 0, end: tiff.count),
      (2...8).contains(number)
    else { return nil }
    self.number = number
  }

  /// A block that tells nothing else, from the order of its bytes on.
  var exif: [UInt8] {
    [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(number), 0, 0]
      + [0, 0, 0, 0]
  }
}
