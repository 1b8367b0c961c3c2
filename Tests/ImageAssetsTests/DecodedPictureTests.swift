import TestSupport
import Testing
import TransportSecurity

@testable import ImageAssets

/// What a terminal would draw, put together by decoders that share nothing with
/// what made it, beside the image itself.
@Suite(.enabled(if: hasChafa), .timeLimit(.minutes(5)))
struct DecodedPictureTests {
  private static let sizes = [
    PictureSize(columns: 18, rows: 2), PictureSize(columns: 38, rows: 7),
    PictureSize(columns: 78, rows: 16), PictureSize(columns: 18, rows: 1),
    PictureSize(columns: 38, rows: 16, cell: PixelSize(width: 9, height: 17)),
  ]

  private func sequence(_ kind: GraphicsProtocol, _ size: PictureSize) async throws -> String {
    let folder = TemporaryFolder()
    let path = folder.write("image.png", Samples.quarters(96, 64))
    let file = try ImageFile.read(path, limits: ImageLimits())
    let renderer = ImageRenderer(
      size: size, graphics: kind, colorCount: 1 << 24, environment: ["PATH": "/usr/bin:/bin"])
    let picture = try await renderer.render(file, in: .none).get()
    #expect(picture.rows.count <= size.rows)
    return picture.rows.joined()
  }

  /// Looks at nine places in each quarter, away from where they meet.
  private func check(_ raster: Raster, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(raster.width > 0 && raster.height > 0, sourceLocation: sourceLocation)
    for (index, color) in Samples.quarterColors.enumerated() {
      for place in 0..<9 {
        let across = Double(index % 2) * 0.5 + 0.12 + 0.1 * Double(place % 3)
        let down = Double(index / 2) * 0.5 + 0.12 + 0.1 * Double(place / 3)
        let (x, y) = (
          Int(across * Double(raster.width)), Int(down * Double(raster.height))
        )
        let found = raster[x, y]
        let isNear = zip(found, color).allSatisfy { abs(Int($0) - Int($1)) <= 16 }
        #expect(isNear, "\(found) is not \(color) at \(x), \(y)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: sizes)
  func `kitty gets the pixels of the image`(size: PictureSize) async throws {
    check(try #require(Raster(kitty: try await sequence(.kitty, size))))
  }

  @Test(arguments: sizes)
  func `iTerm2 gets the pixels of the image`(size: PictureSize) async throws {
    check(try #require(Raster(iterm: try await sequence(.iterm, size))))
  }

  @Test(arguments: sizes)
  func `sixels draw the image`(size: PictureSize) async throws {
    check(try #require(Raster(sixel: try await sequence(.sixel, size))))
  }
}

/// Pixels, red, green and blue.
private struct Raster {
  var width = 0
  var height = 0
  private var pixels: [[UInt8]] = []

  subscript(x: Int, y: Int) -> [UInt8] { pixels[y * width + x] }

  init?(kitty text: String) {
    var data: [UInt8] = []
    for part in text.split(separator: "\u{1b}_G").dropFirst() {
      guard let end = part.firstRange(of: "\u{1b}\\"), let start = part.firstIndex(of: ";") else {
        return nil
      }
      let keys = part[..<start].split(separator: ",").map { $0.split(separator: "=") }
      for pair in keys where pair.count == 2 {
        if pair[0] == "s" { width = Int(pair[1]) ?? 0 }
        if pair[0] == "v" { height = Int(pair[1]) ?? 0 }
      }
      let chunk = String(part[start..<end.lowerBound].dropFirst())
      guard let bytes = Base64.decode(chunk) else { return nil }
      data += bytes
    }
    fill(data, from: 0, samples: 4)
  }

  /// A TIFF without compression, in one strip (TIFF 6.0, 2 and 8).
  init?(iterm text: String) {
    guard let start = text.firstIndex(of: ":"), let end = text.firstIndex(of: "\u{7}"),
      let file = Base64.decode(String(text[start..<end].dropFirst())),
      file.starts(with: [0x49, 0x49])
    else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(file[offset + $1]) }
    }
    let directory = number(4, 4)
    var fields: [Int: Int] = [:]
    for index in 0..<number(directory, 2) {
      let entry = directory + 2 + 12 * index
      fields[number(entry, 2)] = number(entry + 8, number(entry + 2, 2) == 3 ? 2 : 4)
    }
    guard let width = fields[256], let height = fields[257], let strip = fields[273],
      let samples = fields[277]
    else { return nil }
    (self.width, self.height) = (width, height)
    fill(file, from: strip, samples: samples)
  }

  /// DEC's sixels: colours in percent, six pixels in a column from the top.
  init?(sixel text: String) {
    guard let start = text.firstRange(of: "q\"1;1;"),
      let end = text.firstRange(of: "\u{1b}\\")
    else {
      return nil
    }
    var bytes = Array(text[start.upperBound..<end.lowerBound].utf8)[...]
    func number() -> Int {
      let digits = bytes.prefix { (0x30...0x39).contains($0) }
      bytes = bytes.dropFirst(digits.count)
      return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }
    width = number()
    bytes = bytes.dropFirst()
    height = number()
    pixels = Array(repeating: [0, 0, 0], count: width * height)
    var colors: [Int: [UInt8]] = [:]
    var (color, x, band) = (0, 0, 0)
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "#"):
        color = number()
        guard bytes.first == UInt8(ascii: ";") else { continue }
        let parts = (0..<4).map { _ in
          bytes = bytes.dropFirst()
          return number()
        }
        colors[color] = parts[1...].map { UInt8($0 * 255 / 100) }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, band) = (0, band + 1)
      case 0x21, 0x3f...0x7e:
        let count = byte == 0x21 ? number() : 1
        let sixel = byte == 0x21 ? bytes.popFirst() ?? 0x3f : byte
        for column in x..<x + count {
          for bit in 0..<6 where (sixel - 0x3f) >> bit & 1 == 1 {
            let y = band * 6 + bit
            if y < height { pixels[y * width + column] = colors[color] ?? [0, 0, 0] }
          }
        }
        x += count
      default: return nil
      }
    }
  }

  private mutating func fill(_ data: [UInt8], from start: Int, samples: Int) {
    guard data.count >= start + width * height * samples else { return (width, height) = (0, 0) }
    pixels = (0..<width * height).map { Array(data[(start + $0 * samples)...].prefix(3)) }
  }
}
