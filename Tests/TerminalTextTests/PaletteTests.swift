import Glibc
import TerminalText
import Testing

struct PaletteTests {
  private let ids = (0..<2000).map { "profile-\($0)" }

  @Test(arguments: [ColorDepth.palette256, .trueColor])
  func `colours stand out from black and from white`(depth: ColorDepth) throws {
    let palette = Palette(depth: depth)
    let starts = Set(ids.map { palette.start(forProfile: $0) })
    #expect(starts.count >= 16)
    for start in starts {
      let luminance = luminance(try #require(color(start)))
      #expect((luminance + 0.05) / 0.05 >= 3, "\(start.debugDescription) on black")
      #expect(1.05 / (luminance + 0.05) >= 3, "\(start.debugDescription) on white")
    }
  }

  @Test func `sixteen colours are those that can be read on both`() {
    let palette = Palette(depth: .ansi16)
    let starts = Set(ids.map { palette.start(forProfile: $0) })
    #expect(starts == ["\u{1B}[31m", "\u{1B}[32m", "\u{1B}[34m", "\u{1B}[35m", "\u{1B}[36m"])
  }

  @Test func `without colours there is no escape at all`() {
    let palette = Palette(depth: .none)
    #expect(ids.allSatisfy { palette.start(forProfile: $0).isEmpty })
    #expect(palette.reset.isEmpty && palette.strong.isEmpty)
  }

  @Test func `a profile keeps its colour from session to session`() {
    #expect(Palette(depth: .palette256).start(forProfile: "minsu") == "\u{1B}[38;5;29m")
    #expect(Palette(depth: .palette256).start(forProfile: "jane") == "\u{1B}[38;5;31m")
  }

  /// The red, green and blue that an escape sequence sets, 0 to 255.
  private func color(_ start: String) -> [Double]? {
    let numbers = start.dropFirst(2).dropLast().split(separator: ";").compactMap { Int($0) }
    if numbers.count == 5 { return numbers[2...].map(Double.init) }
    guard numbers.count == 3, numbers[2] >= 16, numbers[2] < 232 else { return nil }
    let levels: [Double] = [0, 95, 135, 175, 215, 255]
    let index = numbers[2] - 16
    return [levels[index / 36], levels[index / 6 % 6], levels[index % 6]]
  }

  /// Relative luminance after WCAG 2.1.
  private func luminance(_ color: [Double]) -> Double {
    let linear = color.map { value in
      let part = value / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
