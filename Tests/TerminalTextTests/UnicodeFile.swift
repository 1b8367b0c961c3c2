import Glibc
import Testing

/// A table of the Unicode Character Database, as Debian's package
/// `unicode-data` installs it; without it these tests fail.
struct UnicodeFile {
  /// The lines that hold data, without comments.
  let lines: [String]

  init(_ name: String) throws {
    let path = "/usr/share/unicode/\(name)"
    guard let file = fopen(path, "r") else { throw Missing(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    lines = bytes.split(separator: 0x0A).compactMap { line in
      let data = line.prefix { $0 != 0x23 }
      return data.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        ? nil : String(decoding: data, as: UTF8.self)
    }
  }

  /// The fields of a line, which semicolons separate.
  static func fields(_ line: String) -> [String] {
    line.utf8.split(separator: 0x3B, omittingEmptySubsequences: false).map { field in
      var rest = field
      while rest.first == 0x20 { rest.removeFirst() }
      while rest.last == 0x20 { rest.removeLast() }
      return String(Substring(rest))
    }
  }

  /// The scalars of `AC00` or `AC00..D7A3`.
  static func range(_ field: String) throws -> ClosedRange<UInt32> {
    let ends = field.split(separator: ".", omittingEmptySubsequences: true)
    let low = try #require(UInt32(ends[0], radix: 16))
    return low...(try #require(UInt32(ends[ends.count - 1], radix: 16)))
  }

  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String {
      "\(path) is missing: install Debian's package unicode-data"
    }
  }
}

/// The general category of every scalar that Unicode 15 assigns, read once.
enum UnicodeCategories {
  static let shared: Result<[UInt32: String], any Error> = Result { try read() }

  private static func read() throws -> [UInt32: String] {
    var result: [UInt32: String] = [:]
    var rangeStart: UInt32?
    for line in try UnicodeFile("UnicodeData.txt").lines {
      let fields = UnicodeFile.fields(line)
      let value = try #require(UInt32(fields[0], radix: 16))
      if fields[1].hasSuffix("First>") { rangeStart = value }
      for each in (rangeStart ?? value)...value { result[each] = fields[2] }
      if !fields[1].hasSuffix("First>") { rangeStart = nil }
    }
    return result
  }
}

/// The text made of these scalars.
func text(ofScalars values: some Sequence<UInt32>) -> String {
  String(String.UnicodeScalarView(values.compactMap(Unicode.Scalar.init)))
}
