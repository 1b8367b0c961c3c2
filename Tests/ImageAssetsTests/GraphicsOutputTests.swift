import Testing
import TransportSecurity

@testable import ImageAssets

/// What goes to the terminal of what a decoder has written.
@Suite struct GraphicsOutputTests {
  private static let size = PictureSize(
    columns: 10, rows: 4, cell: PixelSize(width: 10, height: 20))

  private func picture(_ output: String, as kind: GraphicsProtocol) -> Picture? {
    GraphicsOutput.picture(Array(output.utf8), as: kind, size: Self.size, isInside: false)
  }

  // MARK: - iTerm2

  private static let tiff = Base64.encode([0x49, 0x49, 42, 0, 8, 0, 0, 0])
  private static func iterm(
    _ keys: String = "inline=1;width=10;height=4", _ data: String = tiff, _ end: String = "\u{7}"
  ) -> String {
    "\u{1b}]1337;File=\(keys):\(data)\(end)"
  }

  @Test func `an iTerm2 picture goes through, with nothing but what it needs`() {
    let picture = picture(Self.iterm("name=AAAA;inline=1;width=10;height=4;x=9") + "\n", as: .iterm)
    #expect(
      picture?.rows.last
        == "\u{1b}[3A\r\u{1b}7\u{1b}]1337;File=inline=1;width=10;height=4;preserveAspectRatio=0:"
        + "\(Self.tiff)\u{7}\u{1b}8\u{1b}[3B")
    #expect(picture?.rows.dropLast() == ["", "", ""])
  }

  @Test(arguments: [
    "", "x", iterm() + iterm(), iterm() + "\u{1b}]52;c;AAAA\u{7}", "\u{1b}]52;c;AAAA\u{7}",
    "\u{1b}[6n" + iterm(), iterm() + "\u{1b}[c", iterm("inline=1;width=10;height=4", tiff, ""),
    iterm("inline=1;width=10;height=4", tiff, "\u{1b}\\"), iterm("inline=1;width=11;height=4"),
    iterm("inline=1;width=10;height=5"), iterm("inline=1;width=0;height=4"),
    iterm("inline=1;width=-1;height=4"), iterm("inline=1;width=10;height=99999999999999999999"),
    iterm("inline=1;width=10px;height=4"), iterm("inline=1"),
    iterm("inline=1;width=10;height=4", "AAAA"), iterm("inline=1;width=10;height=4", ""),
    iterm("inline=1;width=10;height=4", tiff + "\u{7}\u{1b}[c\u{1b}]1337;File=:"),
    iterm("inline=1;width=10;height=4", tiff + "\u{9b}c"),
    iterm("inline=1;width=10;height=4", tiff + "="),
    iterm("inline=1\u{7}\u{1b}[2J;width=10;height=4\u{1b}]52;c"),
  ])
  func `an iTerm2 picture with anything else does not`(output: String) {
    let rows = picture(output, as: .iterm)?.rows.joined() ?? ""
    #expect(rows.isEmpty || !rows.contains("\u{1b}[2J") && !rows.contains("]52"))
    #expect(rows.isEmpty || output.hasPrefix("\u{1b}]1337;File=inline=1\u{7}"))
  }

  // MARK: - Sixel

  private static func sixel(
    _ data: String = "#0;2;0;0;100#0!100~-!100~$!50?#1!50~-", raster: String = "1;1;100;12",
    head: String = "0;1;0", end: String = "\u{1b}\\"
  ) -> String {
    "\u{1b}P\(head)q\"\(raster)\(data)\(end)"
  }

  @Test func `sixels go through without the line end that would scroll`() {
    #expect(
      picture(Self.sixel() + "\n", as: .sixel)?.rows == [
        "\r\u{1b}7\u{1b}P0;1;0q\"1;1;100;12#0;2;0;0;100#0!100~-!100~$!50?#1!50~\u{1b}\\\u{1b}8"
      ])
  }

  @Test func `sixels stay where they are drawn, in a multiplexer as well`() {
    let bytes = Array(Self.sixel().utf8)
    let inside = GraphicsOutput.picture(bytes, as: .sixel, size: Self.size, isInside: true)
    #expect(inside == picture(Self.sixel(), as: .sixel))
  }

  @Test(arguments: [
    "", "x", sixel(end: ""), sixel(end: "\u{7}"), sixel() + "\u{1b}[c", "\u{1b}[6n" + sixel(),
    sixel() + sixel(), sixel("\u{1b}]52;c;AAAA\u{7}"), sixel("\u{1b}\\\u{1b}[c\u{1b}Pq"),
    sixel("~\u{9c}~"), sixel("é"), sixel("\u{18}"), sixel("!101~"), sixel("!60~!41~"),
    sixel("!99999999999999999999~"), sixel("!~"), sixel("!5"), sixel("!5#1~"), sixel("~-~-~"),
    sixel(raster: "1;1;101;12"), sixel(raster: "1;1;100;81"), sixel(raster: "1;1;100000;12"),
    sixel(raster: "1;1;0;0"), sixel(raster: "1;1;100"), sixel(raster: "50;1;100;12"),
    sixel(raster: "1;1;100;12;9"), sixel(raster: ""), sixel(head: "0;1;0$"), sixel(head: "1$r"),
    "\u{1b}P+q544e\u{1b}\\", "\u{1b}P$qm\u{1b}\\", "\u{1b}Ptmux;\u{1b}\u{1b}[c\u{1b}\\",
    "\u{1b}Pq~\u{1b}\\",
  ])
  func `sixels with anything else do not`(output: String) {
    #expect(picture(output, as: .sixel) == nil)
  }

  // MARK: - kitty

  private static func kitty(
    _ keys: String = "f=32,s=2,v=2,c=1,r=1", _ data: [UInt8] = pixels, chunk: Int = 7,
    next: String = "m=1", end: String = "\u{1b}\\"
  ) -> String {
    var text = "\u{1b}_Ga=T,\(keys),m=1\u{1b}\\"
    for start in stride(from: 0, to: data.count, by: chunk) {
      let part = Base64.encode(data[start..<min(start + chunk, data.count)])
      text += "\u{1b}_G\(next);\(part)\u{1b}\\"
    }
    return text + "\u{1b}_Gm=0\(end)"
  }

  private static let pixels = [UInt8](0..<16)

  @Test func `a kitty picture goes through in one piece, and asks for no answer`() {
    let data = Base64.encode(Self.pixels)
    #expect(
      picture(Self.kitty() + "\n", as: .kitty)?.rows == [
        "\r\u{1b}7\u{1b}_Ga=T,C=1,c=1,r=1,f=32,s=2,v=2,q=2,m=0;\(data)\u{1b}\\\u{1b}8"
      ])
  }

  @Test(arguments: [
    "", "x", kitty(end: ""), kitty(end: "\u{7}"), kitty() + "\u{1b}[c", "\u{1b}[c" + kitty(),
    kitty() + kitty(), kitty() + "\u{1b}]52;c;AAAA\u{7}", kitty(next: "a=q,m=1"),
    kitty(next: "a=T,m=1"), kitty(next: "m=1,t=f"),
    kitty("f=32,s=2,v=2"), kitty("f=24,s=2,v=2,c=1,r=1"), kitty("f=100,s=2,v=2,c=1,r=1"),
    kitty("f=32,s=2,v=2,c=11,r=1"), kitty("f=32,s=2,v=2,c=1,r=5"), kitty("f=32,s=2,v=3,c=1,r=1"),
    kitty("f=32,s=-2,v=-2,c=1,r=1"), kitty("f=32,s=4000000000,v=4000000000,c=1,r=1"),
    kitty("f=32,s=99999999999999999999,v=2,c=1,r=1"), kitty("f=32,s=2,v=2,c=0,r=0"),
    kitty("f=32,s=2,v=2,c=1,r=1", Array(pixels.dropLast())), kitty("f=32,s=2,v=2,c=1,r=1", []),
    "\u{1b}_Gf=32,s=1,v=1,c=1,r=1;AA*A\u{1b}\\", "\u{1b}_Gf=32,s=1,v=1,c=1,r=1;AA\u{1b}[c\u{1b}\\",
    "\u{1b}P1$r\u{1b}\\" + kitty(), kitty("="), kitty("==,=1"), kitty(next: "="),
  ])
  func `a kitty picture with anything else does not`(output: String) {
    #expect(picture(output, as: .kitty) == nil)
  }

  @Test func `a large kitty picture is sent in chunks that are whole`() throws {
    let pixels = (0..<4 * 100 * 80).map { UInt8(truncatingIfNeeded: $0) }
    let output = Self.kitty("f=32,s=100,v=80,c=10,r=4", pixels, chunk: 512)
    let rows = try #require(picture(output, as: .kitty)).rows
    #expect(rows.count == 4)
    let chunks = try #require(rows.last).split(separator: "\u{1b}\\").filter { $0.contains("_G") }
    #expect(chunks.allSatisfy { $0.contains("q=2") })
    let data = chunks.map { $0[$0.firstIndex(of: ";")!...].dropFirst() }
    #expect(data.allSatisfy { $0.utf8.count <= 4_096 && $0.utf8.count.isMultiple(of: 4) })
    #expect(Base64.decode(data.joined()) == pixels)
  }

  @Test func `in tmux, kitty pictures are characters, and their pixels go past it`() throws {
    let pixels = (0..<4 * 100 * 80).map { UInt8(truncatingIfNeeded: $0) }
    let output = Array(Self.kitty("f=32,s=100,v=80,c=10,r=4", pixels, chunk: 512).utf8)
    let picture = GraphicsOutput.picture(output, as: .kitty, size: Self.size, isInside: true)
    let rows = try #require(picture).rows
    #expect(rows.count == 4)
    let cells = rows.map { $0.unicodeScalars.count { $0 == "\u{10eeee}" } }
    #expect(cells == [10, 10, 10, 10])
    // Each row is marked with its number, in the colour that names the picture.
    let marks = ["\u{305}", "\u{30d}", "\u{30e}", "\u{310}"]
    for (row, mark) in zip(rows, marks) {
      #expect(row.unicodeScalars.contains(Unicode.Scalar(mark)!))
      #expect(row.hasSuffix("\u{1b}[39m"))
    }
    let sent = rows[0].split(separator: "\u{1b}Ptmux;").dropLast()
    #expect(!sent.isEmpty && sent.allSatisfy { $0.hasPrefix("\u{1b}\u{1b}_G") })
    #expect(rows[0].contains("U=1"))
    #expect(rows[0].components(after: "\u{1b}Ptmux;").allSatisfy { $0.contains("q=2") })
  }

  @Test func `more rows than have marks make no picture in tmux`() {
    let size = PictureSize(columns: 10, rows: 60, cell: PixelSize(width: 1, height: 1))
    let pixels = [UInt8](repeating: 1, count: 4 * 50)
    let output = Array(Self.kitty("f=32,s=1,v=50,c=1,r=50", pixels).utf8)
    #expect(GraphicsOutput.picture(output, as: .kitty, size: size, isInside: true) == nil)
    #expect(GraphicsOutput.picture(output, as: .kitty, size: size, isInside: false) != nil)
  }
}

extension String {
  /// What follows each of these.
  fileprivate func components(after mark: String) -> [Substring] {
    split(separator: mark).filter { $0.contains("_G") }
  }
}
