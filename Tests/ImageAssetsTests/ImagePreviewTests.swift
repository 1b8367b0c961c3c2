import Glibc
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct ImagePreviewTests {
  private func rows(_ text: String) -> [String] { ImagePreview.safeRows(Array(text.utf8)) }

  @Test(arguments: [
    ("\u{1b}[31mx\u{1b}[0m", "\u{1b}[31mx\u{1b}[0m"),
    ("\u{1b}[38;5;1mx\u{1b}[m", "\u{1b}[38;5;1mx\u{1b}[m"),
    ("\u{1b}[38:2:1:2:3mx", "\u{1b}[38:2:1:2:3mx\u{1b}[0m"),
  ])
  func `lets colours through and ends them with the row`(_ output: String, _ row: String) {
    #expect(rows(output) == [row])
  }

  @Test(arguments: [
    "\u{1b}[2Jx", "\u{1b}[6nx", "\u{1b}[>4;1mx", "\u{1b}[?4mx", "\u{1b}[1 mx", "\u{1b}[?25lx",
    "x\u{9b}", "x\u{7}", "x\r", "\u{1b}x", "x\u{1b}", "x\u{1b}[", "x\u{1b}[31", "x\u{202e}",
    "x\u{7f}",
  ])
  func `lets nothing else act`(_ output: String) {
    #expect(rows(output) == ["x"])
  }

  @Test func `keeps the words of a sequence that is not its own, but not its power`() {
    #expect(rows("\u{1b}]52;c;AAAA\u{7}") == ["]52;c;AAAA"])
    #expect(rows("\u{1b}P1$r0m\u{1b}\\") == ["P1$r0m\\"])
  }

  @Test func `splits rows and survives bytes that are no text`() {
    #expect(rows("a\r\nb\n\nc") == ["a", "b", "c"])
    #expect(ImagePreview.safeRows([0xff, 0x9b, 0x41]) == ["\u{fffd}\u{fffd}A"])
  }

  // MARK: - Files

  private let preview = ImagePreview(
    columns: 10, rows: 4, hasColors: false, environment: ["PATH": "/usr/bin:/bin"])

  @Test func `refuses folders, pipes, devices, links and what is not there`() async throws {
    try await withFolder { folder in
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      try #require(symlink("/etc/hostname", "\(folder)/link") == 0)
      for path in [folder, "\(folder)/pipe", "\(folder)/link", "\(folder)/none", "/dev/zero"] {
        #expect(await preview.render(path) == .failure(.notAFile), "\(path)")
      }
    }
  }

  @Test func `says when chafa is not installed`() async throws {
    try await withFolder { folder in
      try #require(symlink("/usr/bin/prlimit", "\(folder)/prlimit") == 0)
      var preview = preview
      preview.environment["PATH"] = folder
      let file = "\(folder)/image.png"
      write(Samples.picture, to: file)
      #expect(await preview.render(file) == .failure(.notInstalled))
    }
  }

  @Test(.enabled(if: access("/usr/bin/chafa", X_OK) == 0))
  func `shows a picture in as many columns and rows as it may`() async throws {
    try await withFolder { folder in
      let file = "\(folder)/$(touch pwned) -x.png"
      write(Samples.picture, to: file)
      let rows = try await preview.render(file).get()
      #expect((1...4).contains(rows.count))
      #expect(rows.allSatisfy { $0.count <= 10 && !$0.contains("\u{1b}") })
    }
  }

  @Test(.enabled(if: access("/usr/bin/chafa", X_OK) == 0))
  func `says when a file is no picture`() async throws {
    try await withFolder { folder in
      let file = "\(folder)/text.png"
      write(Array("no picture".utf8), to: file)
      #expect(await preview.render(file) == .failure(.undecodable))
    }
  }

  @Test func `a picture that takes long ends with its task`() async throws {
    try await withFolder { folder in
      let file = "\(folder)/image.png"
      write(Samples.picture, to: file)
      write(Array("#!/bin/sh\necho >\(folder)/begun\nsleep 60\n".utf8), to: "\(folder)/chafa")
      chmod("\(folder)/chafa", 0o700)
      var preview = preview
      preview.environment["PATH"] = "\(folder):/usr/bin:/bin"
      let rendering = Task { [preview] in await preview.render(file) }
      while access("\(folder)/begun", F_OK) != 0 { await Task.yield() }
      let start = ContinuousClock.now
      rendering.cancel()
      #expect(await rendering.value == .failure(.undecodable))
      #expect(ContinuousClock.now - start < .seconds(6))
    }
  }

  private func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    try await body(folder.path)
    folder.remove()
  }
}
