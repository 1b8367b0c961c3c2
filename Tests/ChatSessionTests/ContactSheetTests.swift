import TerminalText
import Testing

@testable import ChatSession

@Suite struct ContactSheetTests {
  private func sheet(_ columns: Int, _ cells: [(String, [String])]) -> [String] {
    var sheet = ContactSheet(columns: columns, measure: TextMeasure())
    for (label, rows) in cells { sheet.add(label, rows) }
    return sheet.rows
  }

  @Test func `puts as many side by side as there is room`() {
    let cells = (1...5).map { ("\($0) a.png", ["xx", "yy"]) }
    #expect(
      sheet(58, cells) == [
        "1 a.png             2 a.png             3 a.png",
        "xx                  xx                  xx",
        "yy                  yy                  yy",
        "4 a.png             5 a.png",
        "xx                  xx",
        "yy                  yy",
      ])
    #expect(sheet(57, cells).count == 9)
    #expect(sheet(18, cells).count == 15)
  }

  @Test func `rows may be of different heights, and have colours`() {
    let red = "\u{1b}[31m▄▄\u{1b}[0m"
    #expect(
      sheet(40, [("a", [red, red]), ("b", ["1×1"])]) == [
        "a                   b",
        "\(red)                  1×1",
        red,
      ])
  }

  @Test(arguments: [1, 2, 5, 10, 17, 18, 19, 20, 37, 38, 79, 100])
  func `is never wider than it may be`(columns: Int) {
    let measure = TextMeasure()
    let cells = [
      ("1 아주 긴 한국어 이름의 사진입니다.png", ["방 폴더에 없는 이미지입니다, 정말로"]),
      ("2 👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦.png", []),
      ("3 \u{1b}[2Jx\n\u{202e}y", ["the file of this image is not there"]),
    ]
    for row in sheet(columns, cells) {
      #expect(measure.columns(row) <= columns)
      #expect(!row.hasSuffix(" ") && !row.contains("\u{1b}") && !row.contains("\u{202e}"))
    }
  }

  @Test func `nothing makes nothing`() {
    #expect(sheet(80, []).isEmpty)
  }
}
