import Glibc
import TestSupport

/// Images that can be decoded, of known colours.
extension Samples {
  /// The colours of the quarters, from the top left.
  static let quarterColors: [[UInt8]] = [
    [230, 20, 10], [20, 200, 40], [10, 40, 220], [240, 220, 0],
  ]

  static func quarter(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
    quarterColors[(2 * x >= width ? 1 : 0) + (2 * y >= height ? 2 : 0)]
  }

  /// A PNG of four colours (W3C PNG; RFC 1950 and 1951, stored blocks).
  static func quarters(_ width: Int, _ height: Int) -> [UInt8] {
    var raw: [UInt8] = []
    for y in 0..<height {
      raw.append(0)
      for x in 0..<width { raw += quarter(x, y, width, height) }
    }
    let size = word(width) + word(height)
    let chunks = [
      checked("IHDR", size + [8, 2, 0, 0, 0]), checked("IDAT", zlib(raw)), checked("IEND", []),
    ]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + chunks.joined()
  }

  /// A GIF of so many pictures of one pixel (GIF89a).
  static func movie(frames: Int) -> [UInt8] {
    let frame: [UInt8] = [
      0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0,
    ]
    var bytes: [UInt8] = Array("GIF89a".utf8)
    bytes += [1, 0, 1, 0, 0x80, 0, 0, 200, 30, 30, 0, 0, 0]
    for _ in 0..<frames { bytes += frame }
    return bytes + [0x3b]
  }

  private static func word(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func checked(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + contents
    return word(contents.count) + body + word(Int(checksum(body)))
  }

  /// CRC-32 (W3C PNG, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xedb8_8320 }
    }
    return ~sum
  }

  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 1]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let count = UInt16(block.count)
      result += [rest.isEmpty ? 1 : 0]
      for number in [count, ~count] { result += [UInt8(number & 0xff), UInt8(number >> 8)] }
      result += block
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return result + word(b << 16 | a)
  }
}

/// Whether pictures can be made on this machine.
let hasChafa = access("/usr/bin/chafa", X_OK) == 0
