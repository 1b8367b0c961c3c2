import Glibc
import Testing

extension Promises {
  /// Pictures in the rows above the prompt.
  @Suite struct Pictures {
    func room(
      _ world: World, _ options: String = "--style compact", columns: Int = 80, rows: Int = 24,
      path: String? = nil
    ) async throws -> Terminal {
      let path = path.map { "PATH=\(quoted($0)) " } ?? ""
      let terminal = try Terminal(
        world, columns: columns, rows: rows, script: "\(path)exec $banter \(options)")
      try await terminal.expect(last: "lobby> ▮")
      // The room's messages come behind the prompt.
      if let last = world.contents().last {
        #expect(await eventually { terminal.scrollback.contains { $0.contains(last) } })
      }
      return terminal
    }

    /// Somebody's home with a picture in the room.
    func world(
      _ changes: [String: String] = [:], settings: String? = nil
    ) async throws -> World {
      let world = World(changes, settings: settings)
      world.say("look", images: [try await world.image()])
      return world
    }

    func text(_ terminal: Terminal) -> String {
      String(decoding: terminal.bytes, as: UTF8.self)
    }

    // MARK: - On the screen

    @Test(.enabled(if: hasPrograms), arguments: [(20, 24), (40, 24), (80, 24), (80, 9), (80, 3)])
    func `half blocks have the colours of the image`(columns: Int, rows: Int) async throws {
      let world = try await world(["COLORTERM": "truecolor"])
      let terminal = try await room(world, columns: columns, rows: rows)
      terminal.enter("/images")
      var pixels: [[[Int]]] = []
      _ = await eventually(within: .seconds(20)) {
        pixels = ScreenPixels.pixels(terminal.run("capture-pane -e -p -S -"))
        return pixels.count > 1
      }
      let (width, height) = (pixels.first?.count ?? 0, pixels.count)
      try #require(width > 1, "\(terminal.scrollback)")
      #expect(pixels.allSatisfy { $0.count == width } && width <= columns - 2)
      #expect(height <= 2 * max(1, rows * 2 / 3))
      for (index, color) in World.quarters.enumerated() {
        let x = index % 2 == 0 ? width / 4 : width - 1 - width / 4
        let y = index / 2 == 0 ? height / 4 : height - 1 - height / 4
        let isNear = zip(pixels[y][x], color).allSatisfy { abs($0 - $1) <= 16 }
        #expect(isNear, "\(pixels[y][x]) is not \(color)")
      }
      try await terminal.expect(last: "lobby> ▮")
    }

    @Test(arguments: [
      ("--style plain", [:]), ("--style compact", ["TERM": "dumb"]),
      ("--style plain", ["TERM": "dumb"]),
    ])
    func `where there are no escapes, there is a line and not one escape`(
      options: String, changes: [String: String]
    ) async throws {
      let world = try await world(changes)
      world.say("more", images: ["cat.png", "none.png"])
      let terminal = try await room(world, options)
      terminal.enter("/images 2")
      try await terminal.expect("image 2 of 2: none.png, the file of this image is not there")
      #expect(text(terminal).contains("image 1 of 2: cat.png, 640×480, image/png"))
      terminal.enter("/images all")
      try await terminal.expect("640×480")
      terminal.enter("/images 1 copy")
      try await terminal.expect { $0.contains { $0.hasSuffix("cat.png") } }
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(!terminal.bytes.contains(0x1b))
    }

    @Test(.enabled(if: hasPrograms))
    func `without colours the picture is one of characters`() async throws {
      let terminal = try await room(try await world(["NO_COLOR": "1"]))
      terminal.enter("/images")
      try await terminal.expect { $0.contains { $0.contains("█") || $0.contains("▄") } }
      try await terminal.expect(last: "lobby> ▮")
      #expect(!text(terminal).contains("\u{1b}[38;"))
    }

    @Test(
      .enabled(if: hasPrograms),
      arguments: [
        ("kitty", "\u{1b}Ptmux;\u{1b}\u{1b}_Ga=T,U=1,"),
        ("iterm", "\u{1b}\u{1b}]1337;File=inline=1;"),
        ("sixel", "\u{1b}P0;1;0q\"1;1;"), ("blocks", "\u{1b}[38;5;"),
      ])
    func `the setting chooses how pictures are shown`(name: String, mark: String) async throws {
      let world = try await world(settings: "{images: {protocol: '\(name)'}}")
      let terminal = try await room(world)
      terminal.enter("/images")
      #expect(await eventually(within: .seconds(20)) { text(terminal).contains(mark) })
      terminal.type(text: "안녕")
      try await terminal.expect(last: "lobby> 안녕▮")
      #expect(text(terminal).contains("\u{1b}[c") == (name != "blocks"))
    }

    @Test func `with the protocol none there is a line only`() async throws {
      let terminal = try await room(try await world(settings: "{images: {protocol: 'none'}}"))
      terminal.enter("/images")
      try await terminal.expect("image 1 of 1: cat.png, 640×480")
      terminal.enter("/images all")
      try await terminal.expect("1.1 cat.png, 640×480")
      try await terminal.expect("/images MESSAGE NUMBER open shows one")
      terminal.enter("/images 9")
      try await terminal.expect("no message 9")
      #expect(!text(terminal).contains("\u{1b}[c") && !text(terminal).contains("▄"))
    }

    @Test(.enabled(if: hasPrograms), arguments: ["ask", "thumbnails", "off"])
    func `pictures come by themselves as the setting says`(when: String) async throws {
      let world = try await world(settings: "{images: {inline: '\(when)', protocol: 'blocks'}}")
      let terminal = try await room(world)
      terminal.type(text: "안녕 ")
      world.say("new", images: ["cat.png"])
      try await terminal.expect("Jane: new")
      if when == "thumbnails" { try await terminal.expect("▄") }
      terminal.type(text: "세상")
      try await terminal.expect(last: "lobby> 안녕 세상▮")
      #expect(text(terminal).contains("▄") == (when == "thumbnails"))
      terminal.type("C-u")
      terminal.enter("/images")
      try await terminal.expect("image 1 of 1: cat.png")
      if when == "ask" { try await terminal.expect("▄") }
      #expect(text(terminal).contains("▄") == (when != "off"))
    }

    @Test(.enabled(if: hasPrograms))
    func `a picture that arrives leaves a search and a pager alone`() async throws {
      let world = try await world(
        ["PAGER": "less"], settings: "{images: {inline: 'thumbnails', protocol: 'blocks'}}")
      let terminal = try await room(world)
      terminal.enter("first words")
      try await terminal.expect("first words")
      terminal.type("C-r")
      terminal.type(text: "first")
      try await terminal.expect { $0.last?.contains("i-search)`first'") == true }
      world.say("new", images: ["cat.png"])
      try await terminal.expect("▄")
      #expect(terminal.screen.last?.contains("i-search)`first'") == true)
      terminal.type("C-g")
      terminal.enter("/history")
      try await terminal.expect { $0.last?.hasPrefix("lobby>") == false }
      let before = text(terminal).split(separator: "▄").count
      world.say("newer", images: ["cat.png"])
      terminal.type("q")
      try await terminal.expect("newer")
      #expect(
        await eventually { text(terminal).split(separator: "▄").count > before })
      try await terminal.expect(last: "lobby> ▮")
    }

    @Test(.enabled(if: hasPrograms))
    func `all images of a room stand side by side, with the numbers of their messages`()
      async throws
    {
      let world = try await world()
      world.say("more", images: ["cat.png", "none.png"])
      let terminal = try await room(world)
      terminal.enter("/images all")
      try await terminal.expect { rows in
        rows.contains("1.1 cat.png         2.1 cat.png         2.2 none.png")
      }
      try await terminal.expect("the file of this")
      try await terminal.expect("▄")
    }

    @Test(.enabled(if: hasPrograms), arguments: [20, 40])
    func `the name over a thumbnail has one row`(columns: Int) async throws {
      let world = try await world(settings: "{images: {inline: 'thumbnails', protocol: 'blocks'}}")
      let name = "아주 긴 한국어 이름의\n고양이 사진입니다 정말로 길어요.png"
      let terminal = try await room(world, columns: columns)
      world.append(
        #"{"messageID":"n","profileID":"j","content":"new","images":["cat.png"],"#
          + #""files":[{"path":"cat.png","name":\#(json(name))}],"createdAt":"2025-11-30T08:17:00Z"}"#
          + "\n")
      try await terminal.expect("▄")
      let rows = terminal.scrollback
      let label = try #require(rows.firstIndex { $0.hasPrefix("-- 2 아주") })
      #expect(rows[label].hasSuffix("…") && rows[label + 1].contains("▄"))
    }

    @Test(arguments: [20, 30, 200])
    func `why there is no picture can be read in a narrow window`(columns: Int) async throws {
      let world = try await world(settings: "{images: {protocol: 'none'}}")
      world.say("bad", images: ["none.png", "http://127.0.0.1:9/a.png"])
      let terminal = try await room(world, columns: columns, rows: 40)
      try await terminal.expect("bad")
      let reasons = [
        "the file of this image is not there",
        "127.0.0.1 is not on the public internet; images.private allows it",
      ]
      terminal.enter("/images")
      try await terminal.expect { rows in
        let text = words(rows)
        return reasons.allSatisfy(text.contains)
      }
      terminal.type("C-l")
      try await terminal.expect { $0 == ["lobby> ▮"] }
      guard columns < 40 else { return }
      terminal.enter("/images all")
      try await terminal.expect { words($0).contains("the file of this image is not there") }
    }

    /// What is told in rows, as one line.
    private func words(_ rows: [String]) -> String {
      rows.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    }

    // MARK: - Many

    @Test(.enabled(if: hasPrograms))
    func `thousands of images are no burden`() async throws {
      let world = World(
        settings: "{tail: 10000, images: {inline: 'thumbnails', protocol: 'blocks'}}")
      _ = try await world.image()
      let lines = (0..<(isSoak ? 10_000 : 2_000)).map { number in
        #"{"messageID":"\#(number)","profileID":"j","content":"\#(number)","#
          + #""images":["cat.png"],"createdAt":"2025-11-30T08:16:00Z"}"# + "\n"
      }
      world.append(lines.joined())
      let terminal = try Terminal(world, "--style compact")
      let last = "j: \(lines.count - 1)"
      try await terminal.expect(within: .seconds(60)) { rows in
        rows.last == "lobby> ▮" && rows.contains { $0.hasSuffix(last) }
      }
      terminal.enter("/images all")
      try await terminal.expect(within: .seconds(30)) { $0.contains { $0.contains("▄") } }
      // All at once, by somebody who means no good.
      world.append(lines.map { $0.replacing(#""messageID":""#, with: #""messageID":"x"#) }.joined())
      try await terminal.expect(within: .seconds(60)) { $0.last == "lobby> ▮" }
      terminal.enter("hello")
      // What is shown of it may be far above: pictures go on coming.
      #expect(await eventually(within: .seconds(60)) { world.contents().contains("hello") })
      let descriptors = await world.run("ls /proc/\(terminal.process)/fd | wc -l")
      #expect(descriptors.lines.first.flatMap { Int($0) }.map { $0 < 100 } == true)
    }
  }
}
