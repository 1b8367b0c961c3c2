import Glibc
import Testing

extension Promises {
  /// Pictures in the rows above the prompt.
  @Suite struct Pictures {
    private func room(
      _ world: World, _ options: String = "--style compact", columns: Int = 80, rows: Int = 24,
      path: String? = nil
    ) async throws -> Terminal {
      let path = path.map { "PATH=\(quoted($0)) " } ?? ""
      let terminal = try Terminal(
        world, columns: columns, rows: rows, script: "\(path)exec $banter \(options)")
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    /// Somebody's home with a picture in the room.
    private func world(
      _ changes: [String: String] = [:], settings: String? = nil
    ) async throws -> World {
      let world = World(changes, settings: settings)
      world.say("look", images: [try await world.image()])
      return world
    }

    private func text(_ terminal: Terminal) -> String {
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

    // MARK: - Opened, saved, copied

    @Test func `an image is opened, saved and copied`() async throws {
      let world = try await world(settings: "{images: {viewer: ['./viewer', 'a b']}}")
      // What shows it goes on when its starter has ended, and when Banter has.
      world.folder.write(
        "viewer", "#!/bin/sh\necho \"$@\" >opened; sh -c 'read -r x <go; echo \"$x\" >shown' &\n",
        mode: 0o700)
      try #require(mkfifo("\(world.folder.path)/go", 0o600) == 0)
      let terminal = try await room(world)
      terminal.enter("/images 1 1 open")
      let stored = "\(world.folder.path)/data/banter/rooms/lobby.files/cat.png"
      #expect(
        await eventually { world.folder.read("opened") == Array("a b \(stored)\n".utf8) })
      for name in ["cat.png", "cat-1.png"] {
        terminal.enter("/images save ~/")
        try await terminal.expect("\(name)")
        #expect(await eventually { contents(of: "\(world.folder.path)/\(name)") != nil })
      }
      #expect(world.folder.read("cat.png") == contents(of: stored))
      terminal.enter("/images 1 copy")
      #expect(await eventually { text(terminal).contains("\u{1b}]52;c;Y2F0LnBuZw==\u{7}") })
      terminal.enter("/images save ~/none")
      try await terminal.expect("not saved: No such file or directory")
      terminal.enter("/quit")
      try await terminal.expectEnd(status: 0)
      #expect(await world.run("timeout 10 sh -c 'echo on >go'").status == 0)
      #expect(await eventually { world.folder.read("shown") == Array("on\n".utf8) })
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
        rows.contains("1 cat.png           2 cat.png           2 none.png")
      }
      try await terminal.expect("the file of this")
      try await terminal.expect("▄")
    }

    // MARK: - What goes wrong

    @Test(arguments: [
      ("", "install chafa to see it here"), ("exit 1", "this image cannot be read"),
      ("kill -SEGV $$", "this image cannot be read"),
      (#"printf '\033]52;c;AAAA\007\033[2J\033[?1049hROTTEN\033[6n'"#, "image/png"),
    ])
    func `without a decoder, or a bad one, there is a line, and the chat goes on`(
      script: String, reason: String
    ) async throws {
      let world = try await world(settings: "{images: {protocol: 'blocks'}}")
      let terminal = try await room(world, path: fake(script, in: world))
      terminal.enter("/images")
      try await terminal.expect("image 1 of 1: cat.png, 640×480")
      try await terminal.expect(reason)
      terminal.enter("hello")
      try await terminal.expect("root: hello")
      let written = text(terminal)
      #expect(!written.contains("bwrap") && !written.contains("tmux: "))
      for harm in ["\u{1b}]52", "\u{1b}[2J", "\u{1b}[?1049h", "\u{1b}[6n"] {
        #expect(!written.contains(harm))
      }
    }

    @Test func `a decoder that hangs is killed, and the chat goes on meanwhile`() async throws {
      let world = try await world(settings: "{images: {protocol: 'blocks'}}")
      let terminal = try await room(world, path: fake("exec sleep 1000", in: world))
      terminal.enter("/images")
      try await terminal.expect("image 1 of 1: cat.png, 640×480")
      terminal.enter("hello")
      try await terminal.expect("root: hello")
      try await terminal.expect(within: .seconds(30)) {
        $0.contains { $0.contains("it takes too long") }
      }
    }

    /// A path with the programs that are needed, and this as `chafa` unless it
    /// is empty.
    private func fake(_ script: String, in world: World) -> String {
      let bin = "\(world.folder.path)/bin"
      mkdir(bin, 0o700)
      for name in ["timeout", "prlimit", "sh", "sleep", "bash"] {
        symlink("/usr/bin/\(name)", "\(bin)/\(name)")
      }
      if !script.isEmpty {
        world.folder.write("bin/chafa", "#!/bin/sh\n\(script)\n", mode: 0o700)
      }
      return bin
    }

    @Test(.enabled(if: hasPrograms))
    func `each bad image ends in a line that says why`() async throws {
      let world = World(settings: "{style: 'plain'}")
      try await world.make(Self.badImages)
      world.folder.write("outside.png", "x")
      let reasons = [
        ("../../.ssh/id_rsa", "this image is not in the room's folder"),
        ("\(world.folder.path)/outside.png", "this image is not in the room's folder"),
        (".hidden.png", "this image is not in the room's folder"),
        ("link.png", "the file of this image is not there"),
        ("pipe.png", "the file of this image is not there"),
        ("device.png", "the file of this image is not there"),
        ("folder.png", "the file of this image is not there"),
        ("none.png", "the file of this image is not there"),
        ("zero.png", "the file is empty"), ("page.png", "it is no PNG, JPEG, GIF or WebP"),
        ("drawing.svg", "it is no PNG, JPEG, GIF or WebP"),
        ("bomb.png", "30000×30000 are too many pixels to decode"),
        ("data:image/png;base64,AAAA", "it is no PNG, JPEG, GIF or WebP"),
        ("http://127.0.0.1:9/a.png", "127.0.0.1 is not on the public internet"),
        ("http://[::1]:9/b.png", "is not on the public internet"),
        ("file:///etc/passwd", "this image is not in the room's folder"),
        ("\u{1b}[2J\u{202e}x\ny.png", "image"),
      ]
      world.say("bad", images: reasons.map(\.0))
      let terminal = try await room(world, "", columns: 200, rows: 60)
      terminal.enter("/images")
      try await terminal.expect("image \(reasons.count) of \(reasons.count)")
      let words = terminal.joinedScrollback.joined(separator: " ").split(separator: " ")
      // Each goes up to where the next begins.
      let shown = words.joined(separator: " ").split(separator: " of \(reasons.count): ")
        .dropFirst()
      #expect(shown.count == reasons.count)
      for (line, reason) in zip(shown, reasons) {
        #expect(line.contains(reason.1), "\(reason.0): \(line)")
      }
      #expect(!terminal.bytes.contains(0x1b))
    }

    @Test(
      .enabled(if: hasPrograms),
      arguments: [
        ("cut.png", "this image cannot be read"), ("movie.gif", "▄"), ("jpeg.jpg", "▄"),
        ("dot.png", "▄"),
      ])
    func `an odd image is shown, or it is said why not`(name: String, shows: String) async throws {
      let world = World(settings: "{images: {protocol: 'blocks'}}")
      try await world.make(Self.badImages)
      world.say("odd", images: [name])
      let terminal = try await room(world)
      terminal.enter("/images")
      try await terminal.expect(shows)
      try await terminal.expect("image 1 of 1: \(name), ")
    }

    private static let badImages = """
      os.symlink("/etc/hostname", "link.png")
      os.mkfifo("pipe.png")
      os.symlink("/dev/zero", "device.png")
      os.mkdir("folder.png")
      save("zero.png", b"")
      save("page.png", b"<!DOCTYPE html><title>No</title>")
      save("drawing.svg", b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
          b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><text>&x;</text>'
          b'<image href="file:///etc/passwd"/></svg>')
      save("bomb.png", header(30000, 30000) + chunk(b"IDAT", bytes(100000)))
      save("cut.png", png(640, 480)[:60])
      save("jpeg.jpg", png(64, 48))
      save("dot.png", png(1, 1))
      frame = b"\\x21\\xf9\\4\\0\\1\\0\\0\\0\\x2c\\0\\0\\0\\0\\1\\0\\1\\0\\0\\2\\2\\x44\\1\\0"
      save("movie.gif", b"GIF89a\\1\\0\\1\\0\\x80\\0\\0\\xc8\\x1e\\x1e\\0\\0\\0" + frame * 5000 + b";")
      """

    // MARK: - From the web

    @Test(.enabled(if: hasPrograms))
    func `each bad answer of the web ends in a line that says why`() async throws {
      let world = World(settings: "{style: 'plain', images: {private: true, prefetch: 'off'}}")
      world.folder.write("server.py", Self.server)
      world.say("old")
      let terminal = try Terminal(
        world, columns: 200, rows: 40, script: "python3 server.py & exec $banter")
      try await terminal.expect(last: "lobby> ▮")
      var port = ""
      #expect(
        await eventually {
          port = String(decoding: world.folder.read("port") ?? [], as: UTF8.self)
          return !port.isEmpty
        })
      let reasons = [
        ("404", "the server answers with status 404"),
        ("500", "the server answers with status 500"), ("page", "it is no PNG, JPEG, GIF or WebP"),
        ("loop", "it is redirected too often"), ("file", "this is no address of the web"),
        ("empty", "the file is empty"), ("cut", "it broke off before its end"),
        ("endless", "it is larger than"), ("slow", "it takes too long"),
      ]
      world.say("bad", images: reasons.map { "http://127.0.0.1:\(port)/\($0.0)" })
      try await terminal.expect("bad")
      terminal.enter("/images")
      for (index, reason) in reasons.enumerated() {
        try await terminal.expect(within: .seconds(60)) { rows in
          rows.joined(separator: " ").contains(
            "image \(index + 1) of \(reasons.count): \(reason.0), ")
            && rows.joined(separator: " ").contains(reason.1)
        }
      }
      terminal.enter("hello")
      try await terminal.expect("hello")
    }

    private static let server = """
      import http.server, os, time
      class Handler(http.server.BaseHTTPRequestHandler):
          def log_message(self, *words): pass
          def answer(self, status, body, **headers):
              self.send_response(status)
              for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
              self.end_headers()
              self.wfile.write(body)
          def do_GET(self):
              name = self.path.strip("/")
              if name.isdigit(): self.answer(int(name), b"no")
              elif name == "page": self.answer(200, b"<!DOCTYPE html>" * 50)
              elif name == "loop": self.answer(302, b"", Location="/loop")
              elif name == "file": self.answer(302, b"", Location="file:///etc/passwd")
              elif name == "empty": self.answer(200, b"")
              elif name == "cut": self.answer(200, b"\\x89PNG\\r\\n\\x1a\\n", Content_Length="5000")
              else:
                  self.answer(200, b"\\x89PNG\\r\\n\\x1a\\n" + bytes(40))
                  while True:
                      self.wfile.write(bytes(1 if name == "slow" else 65536))
                      if name == "slow": time.sleep(1)
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      server.handle_error = lambda *words: None
      with open("port.new", "w") as file: file.write(str(server.server_address[1]))
      os.rename("port.new", "port")
      server.serve_forever()
      """

    @Test func `where nothing can be kept, it is said`() async throws {
      let world = World(
        ["XDG_CACHE_HOME": "/proc/none", "XDG_RUNTIME_DIR": "/proc/none"],
        settings: "{images: {prefetch: 'off'}}")
      let data =
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
      world.say("look", images: [data])
      let terminal = try await room(world)
      terminal.enter("/images")
      try await terminal.expect("there is no room to keep it")
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
      try await terminal.expect(within: .seconds(60)) { $0.last == "lobby> ▮" }
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

/// The pixels of the half blocks on a screen.
enum ScreenPixels {
  /// Two rows of pixels for each row that has colours from its beginning on
  /// (SGR, ECMA-48 8.3.117), of what `tmux capture-pane -e` tells.
  static func pixels(_ screen: String) -> [[[Int]]] {
    screen.split(separator: "\n").filter { $0.contains("▄") || $0.contains("\u{1b}[48;2;") }
      .flatMap(rows)
  }

  private static func rows(_ row: Substring) -> [[[Int]]] {
    var (front, back, isReversed) = ([0, 0, 0], [0, 0, 0], false)
    var rows: [[[Int]]] = [[], []]
    var rest = row[...]
    while let character = rest.popFirst() {
      if character == "\u{1b}" {
        let sequence = rest.prefix { $0 != "m" }
        rest = rest.dropFirst(sequence.count + 1)
        let numbers = sequence.dropFirst().split(
          omittingEmptySubsequences: false, whereSeparator: { $0 == ";" || $0 == ":" }
        ).map { Int($0) ?? 0 }
        apply(numbers[...], &front, &back, &isReversed)
      } else {
        let (ink, paper) = isReversed ? (back, front) : (front, back)
        rows[0].append(character == "█" ? ink : paper)
        rows[1].append(character == " " ? paper : ink)
      }
    }
    return rows
  }

  private static func apply(
    _ numbers: ArraySlice<Int>, _ front: inout [Int], _ back: inout [Int], _ isReversed: inout Bool
  ) {
    var rest = numbers
    while let number = rest.popFirst() {
      switch number {
      case 0: (front, back, isReversed) = ([0, 0, 0], [0, 0, 0], false)
      case 7: isReversed = true
      case 27: isReversed = false
      case 38, 48:
        let color = Array(rest.dropFirst().prefix(3))
        rest = rest.dropFirst(4)
        if number == 38 { front = color } else { back = color }
      default: break
      }
    }
  }
}
