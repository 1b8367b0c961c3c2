import Glibc
import Testing

/// What is no picture, and what makes none.
extension Promises.Pictures {
  @Test(
    arguments: [
      ("", "install chafa to see it here"), ("exit 1", "this image cannot be read"),
      ("kill -SEGV $$", "this image cannot be read"),
      (#"printf '\033]52;c;AAAA\007\033[2J\033[?1049hROTTEN\033[6n'"#, "image/png"),
    ], [false, true])
  func `without a decoder, or a bad one, there is a line, and the chat goes on`(
    decoder: (script: String, reason: String), isShutIn: Bool
  ) async throws {
    let script = decoder.script
    let isBroken = isShutIn && decoder.reason == "this image cannot be read"
    let reason = isBroken ? "this chafa does not work shut in" : decoder.reason
    let world = try await world(settings: "{images: {protocol: 'blocks'}}")
    let terminal = try await room(world, path: fake(script, in: world, isShutIn: isShutIn))
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
  private func fake(_ script: String, in world: World, isShutIn: Bool = false) -> String {
    let bin = "\(world.folder.path)/bin"
    mkdir(bin, 0o700)
    let shut = isShutIn ? ["bwrap", "ldd"] : []
    for name in ["prlimit", "sh", "sleep", "bash"] + shut {
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

  @Test func `where nothing can be kept, it is said`() async throws {
    let world = World(
      ["XDG_CACHE_HOME": "/proc/none", "XDG_RUNTIME_DIR": "/proc/none"],
      settings: "{images: {prefetch: 'off'}}")
    world.say("look", images: [World.dot])
    let terminal = try await room(world)
    terminal.enter("/images")
    try await terminal.expect("there is no room to keep it")
  }
}
