import Glibc
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct ImageRendererTests {
  private let folder = TemporaryFolder()

  private func renderer(
    _ kind: GraphicsProtocol = .blocks, colorCount: Int = 2, path: String = "/usr/bin:/bin",
    seconds: Int = 60
  ) -> ImageRenderer {
    ImageRenderer(
      size: PictureSize(columns: 10, rows: 4), graphics: kind, colorCount: colorCount,
      environment: ["PATH": path], seconds: seconds)
  }

  private func file(
    _ bytes: [UInt8] = Samples.quarters(40, 30), named name: String = "image.png"
  ) throws -> ImageFile {
    try ImageFile.read(folder.write(name, bytes), limits: ImageLimits())
  }

  /// The path of a folder in which `chafa` is this script.
  private func fake(_ script: String) -> String {
    let bin = TemporaryFolder.made(in: folder, "bin")
    folder.write("bin/chafa", "#!/bin/sh\n\(script)\n", mode: 0o700)
    return "\(bin):/usr/bin:/bin"
  }

  // MARK: - Files

  @Test func `opens nothing but the regular file that it was`() async throws {
    let file = try file()
    try #require(unlink(file.path) == 0)
    #expect(await renderer().render(file, in: .none) == .failure(.notAFile))
    try #require(symlink("/etc/hostname", file.path) == 0)
    #expect(await renderer().render(file, in: .none) == .failure(.notAFile))
    try #require(unlink(file.path) == 0 && mkfifo(file.path, 0o600) == 0)
    #expect(await renderer().render(file, in: .none) == .failure(.notAFile))
  }

  @Test func `decodes nothing but the file that was looked at`() async throws {
    let file = try file()
    let path = fake("mkdir \"$0.run\"")
    let bomb = folder.write("bomb.png", Samples.quarters(4_000, 4_000))
    try #require(rename(bomb, file.path) == 0)
    #expect(await renderer(path: path).render(file, in: .none) == .failure(.notAFile))
    #expect(access("\(folder.path)/bin/chafa.run", F_OK) != 0)
  }

  @Test(.enabled(if: hasChafa), arguments: [GraphicsProtocol.kitty, .iterm, .sixel, .blocks])
  func `shows a picture in as many rows as it may`(kind: GraphicsProtocol) async throws {
    let file = try file(named: "$(touch pwned) -x.png")
    let rows = try await renderer(kind).render(file, in: .none).get().rows
    #expect((1...4).contains(rows.count))
    #expect(!rows.joined().isEmpty)
  }

  @Test(
    .enabled(if: hasChafa),
    arguments: [
      (GraphicsProtocol.kitty, 2, 2), (.iterm, 2, 2), (.sixel, 2, 2), (.blocks, 20, 20),
    ])
  func `a small picture stays as small as it is`(
    kind: GraphicsProtocol, columns: Int, rows: Int
  ) async throws {
    let file = try file(Samples.quarters(20, 40))
    let size = PictureSize(columns: 60, rows: 40, cell: PixelSize(width: 10, height: 20))
    let renderer = ImageRenderer(
      size: size, graphics: kind, colorCount: 1 << 24, environment: ["PATH": "/usr/bin:/bin"])
    let picture = try await renderer.render(file, in: .none).get()
    #expect(picture.rows.count == rows)
    let text = picture.rows.joined()
    switch kind {
    case .kitty: #expect(text.contains("c=\(columns),r=\(rows),"))
    case .iterm: #expect(text.contains("width=\(columns);height=\(rows);"))
    // In bands of six, none of which is beyond the last row.
    case .sixel: #expect(text.contains("q\"1;1;20;36"))
    default: #expect(picture.rows[0].count { "▄▀█".contains($0) } == columns)
    }
  }

  @Test(.enabled(if: hasChafa))
  func `without colours there is no escape`() async throws {
    let rows = try await renderer().render(file(), in: .none).get().rows
    #expect(rows.allSatisfy { $0.count <= 10 && !$0.contains("\u{1b}") })
    let colored = try await renderer(colorCount: 256).render(file(), in: .none).get().rows
    #expect(colored.joined().contains("\u{1b}[38;5;"))
    let full = try await renderer(colorCount: 1 << 24).render(file(), in: .none).get().rows
    #expect(full.joined().contains("\u{1b}[38;2;"))
  }

  @Test(
    .enabled(if: hasChafa),
    arguments: [
      ("image.jpg", Samples.quarters(40, 30)), ("dot.png", Samples.quarters(1, 1)),
      ("wide.png", Samples.quarters(4_000, 1)), ("tall.png", Samples.quarters(1, 4_000)),
    ])
  func `shows what has an odd name or size`(name: String, bytes: [UInt8]) async throws {
    for kind in [GraphicsProtocol.blocks, .kitty, .iterm, .sixel] {
      let picture = await renderer(kind).render(try file(bytes, named: name), in: .none)
      #expect((try? picture.get()) != nil, "\(name) as \(kind): \(picture)")
    }
  }

  @Test(.enabled(if: hasChafa))
  func `of five thousand pictures it shows the first, at once`() async throws {
    let file = try file(Samples.movie(frames: 5_000), named: "movie.gif")
    let picture = await renderer(colorCount: 1 << 24).render(file, in: .none)
    #expect(try picture.get().rows.joined().contains("200;30;30"))
  }

  @Test(.enabled(if: hasChafa))
  func `shows a picture as large as those of phones`() async throws {
    let file = try file(Samples.quarters(1_500, 1_300))
    #expect(file.sizeInBytes > 5 << 20)
    let sandbox = try await Sandbox.available(["PATH": "/usr/bin:/bin"])
    for sandbox in [.none, sandbox] {
      let picture = try await renderer().render(file, in: sandbox).get()
      #expect(!picture.rows.isEmpty)
    }
  }

  @Test(.enabled(if: hasChafa), arguments: [33, 60, 100])
  func `says when what begins as an image does not go on as one`(count: Int) async throws {
    let whole = Samples.quarters(400, 300)
    let file = try file(Array(whole.prefix(count)))
    let picture = await renderer().render(file, in: .none)
    #expect(picture == .failure(.undecodable), "\(picture)")
  }

  // MARK: - Programs

  @Test func `says when chafa is not installed`() async throws {
    let bin = TemporaryFolder.made(in: folder, "bin")
    try #require(symlink("/usr/bin/prlimit", "\(bin)/prlimit") == 0)
    #expect(
      await renderer(path: bin).render(try file(), in: .none)
        == .failure(.notInstalled(program: "chafa")))
  }

  @Test(arguments: [
    ("exit 1", ImageFailure.undecodable), ("kill -SEGV $$", .undecodable), ("", .undecodable),
    ("kill -TERM $$", .ended(program: "chafa")), ("exec sleep 60", .timedOut),
    ("trap '' TERM; while :; do sleep 1; done", .timedOut),
    ("exec cat /dev/urandom", .undecodable), ("exec yes", .undecodable),
    ("echo x >\"$0.written\"", .undecodable),
  ])
  func `a decoder that goes wrong is ended, and it is said why`(
    script: String, failure: ImageFailure
  ) async throws {
    let path = fake(script)
    // Only one that would go on for ever is waited for to the end of its time.
    let seconds = failure == .timedOut ? 1 : 60
    let picture = await renderer(path: path, seconds: seconds).render(try file(), in: .none)
    #expect(picture == .failure(failure))
    #expect((folder.read("bin/chafa.written") ?? []).isEmpty)
  }

  @Test(arguments: [GraphicsProtocol.kitty, .iterm, .sixel])
  func `what a decoder says besides is not passed on`(kind: GraphicsProtocol) async throws {
    let path = fake(#"printf '\033[6n\033]52;c;QUJD\007'; exec /usr/bin/chafa "$@""#)
    #expect(
      await renderer(kind, path: path).render(try file(), in: .none) == .failure(.undecodable))
  }

  @Test func `what a decoder starts ends with it`() async throws {
    // What it has started keeps the pipe open; it may write no file.
    let path = fake("sleep 1000 & mkdir \"$0.$!\"; exec sleep 1000")
    let picture = await renderer(path: path, seconds: 1).render(try file(), in: .none)
    #expect(picture == .failure(.timedOut))
    let names = await Program.run("ls \(folder.path)/bin").lines
    let child = try #require(names.lazy.compactMap { Int($0.dropFirst("chafa.".count)) }.first)
    let state = "cut -d' ' -f3 /proc/\(child)/stat 2>/dev/null"
    #expect(await eventually { ["", "Z"].contains(await Program.run(state).lines.joined()) })
  }

  @Test func `a picture that takes long ends with its task`() async throws {
    let path = fake(": <\(folder.path)/begun\nexec sleep 60")
    let file = try file()
    try #require(mkfifo("\(folder.path)/begun", 0o600) == 0)
    let rendering = Task { await renderer(path: path).render(file, in: .none) }
    // Opens when the other side does.
    #expect(
      await eventually {
        let end = open("\(folder.path)/begun", O_WRONLY | O_NONBLOCK)
        defer { close(end) }
        return end >= 0
      })
    // Else it is late, and not ended.
    rendering.cancel()
    #expect(await rendering.value == .failure(.ended(program: "chafa")))
  }
}

extension TemporaryFolder {
  /// The path of a folder in another.
  static func made(in folder: TemporaryFolder, _ name: String) -> String {
    mkdir("\(folder.path)/\(name)", 0o700)
    return "\(folder.path)/\(name)"
  }
}
