internal import CPosix
internal import ChatModel
internal import Glibc

/// What in a photo's file tells where it was taken.
enum PlaceData {
  /// Whether such files can tell it at all: photos of cameras and phones.
  ///
  /// Their first bytes count: ``ImageType``, TIFF 6.0 (section 2), which most
  /// raw formats are too, and ISO/IEC 23008-12 (brands of HEIF and AVIF).
  static func mayBeIn(beginning: [UInt8]) -> Bool {
    if ImageType(beginning: beginning) != nil { return true }
    let tiff: [[UInt8]] = [[0x49, 0x49, 0x2a, 0], [0x4d, 0x4d, 0, 0x2a]]
    if tiff.contains(where: beginning.starts(with:)) { return true }
    let brands = ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis", "crx "]
    return beginning.dropFirst(4).starts(with: "ftyp".utf8)
      && brands.contains { beginning.dropFirst(8).starts(with: $0.utf8) }
  }

  /// How many bytes of the beginning that takes.
  static let beginningBytes = 12

  /// How blocks of metadata begin: Exif (CIPA DC-008, 4.7.2), XMP (part 3),
  /// Photoshop's with IPTC in it, and the chunks that PNG and WebP have for them.
  /// TIFF itself, and HEIF, which names them otherwise, have them as a rule.
  static let blocks = [
    "Exif\0", "http://ns.adobe.com/", "Photoshop 3.0\0", "eXIf", "EXIF", "XMP ",
    "Raw profile type ", "XML:com.adobe.xmp", "II*\0", "MM\0*", "mif1", "avi", "crx ",
  ].map { Array($0.utf8) }

  /// What is left nowhere when the place is gone, wherever in the file it is: the
  /// entry of an Exif directory that leads to the GPS data (CIPA DC-008, 4.6.3),
  /// in both orders of bytes, and what XMP calls a latitude.
  static let traces =
    [[0x25, 0x88, 4, 0, 1, 0, 0, 0], [0x88, 0x25, 0, 4, 0, 0, 0, 1]]
    + [Array("GPSLatitude".utf8)]

  /// Whether a key of exiv2(1), such as `Exif.GPSInfo.GPSLatitude` or
  /// `Xmp.iptcExt.LocationShown[1]/Iptc4xmpExt:City`, tells of the place.
  static func isNamed(by key: String) -> Bool {
    key.split { "./:".contains($0) }.contains { part in
      let name = part.prefix { $0 != "[" }.lowercased()
      return name.hasPrefix("gps") || names.contains(name)
    }
  }

  /// Names of Exif, XMP and IPTC (IIM 4.2, IPTC Photo Metadata 2023), and of
  /// cameras that write down the names of places.
  private static let names: Set<String> = [
    "city", "state", "provincestate", "country", "countrycode", "countryname", "location",
    "sublocation", "locationcode", "locationname", "locationcreated", "locationshown",
    "shotlocation", "worldregion", "landmark", "latitude", "longitude",
  ]

  /// Whether an open file has any of these anywhere.
  static func contains(_ parts: [[UInt8]], inFile descriptor: Int32) -> Bool {
    let size = 1 << 20
    let overlap = (parts.map(\.count).max() ?? 1) - 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer.baseAddress, size, offset)
      guard count > 0 else { return false }
      if parts.contains(where: { posix_contains(buffer.baseAddress, count, $0, $0.count) }) {
        return true
      }
      // At the end there is nothing more to overlap with.
      guard count > overlap else { return false }
      offset += count - overlap
    }
  }
}
