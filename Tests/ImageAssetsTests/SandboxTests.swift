import Glibc
import Processes
import Synchronization
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct SandboxTests {
  private let folder = TemporaryFolder()

  private func render(
    path: String = "/usr/bin:/bin", in sandbox: Sandbox
  ) async throws -> Result<Picture, ImageFailure> {
    await ImageRenderer(
      size: PictureSize(columns: 10, rows: 4), graphics: .blocks, colorCount: 2,
      environment: ["PATH": path]
    ).render(try file(), in: sandbox)
  }

  private func file() throws -> ImageFile {
    try ImageFile.read(folder.write("image.png", Samples.quarters(40, 30)), limits: ImageLimits())
  }

  /// The path of a folder in which bubblewrap is this script.
  private func fake(_ script: String) -> String {
    let bin = TemporaryFolder.made(in: folder, "bin")
    folder.write("bin/bwrap", "#!/bin/sh\n\(script)\n", mode: 0o700)
    return "\(bin):/usr/bin:/bin"
  }

  /// Does what it is told, without a sandbox.
  private static let passing = #"while [ "$1" != -- ]; do shift; done; shift; exec "$@""#

  @Test func `without bubblewrap there is no sandbox`() async throws {
    let bin = TemporaryFolder.made(in: folder, "bin")
    #expect(try await Sandbox.available(["PATH": bin]) == .none)
    try #require(symlink("/usr/bin/prlimit", "\(bin)/prlimit") == 0)
    #expect(try await Sandbox.available(["PATH": bin]) == .none)
  }

  @Test(arguments: [
    "exit 1", "echo bwrap: setting up uid map: Permission denied >&2; exit 1",
    "echo no >&2; exit 127",
  ])
  func `where bubblewrap refuses there is none either`(script: String) async throws {
    #expect(try await Sandbox.available(["PATH": fake(script)]) == .none)
  }

  @Test(arguments: [
    ("kill -9 $$", ECANCELED), ("exec sleep 600", ETIMEDOUT),
    (
      "echo bwrap: Creating new namespace failed: Resource temporarily unavailable >&2; exit 1",
      EAGAIN
    ),
    ("echo bwrap: pipe2: Too many open files >&2; exit 1", EMFILE),
  ])
  func `where it cannot be found out, that is a failure`(script: String, number: Int32) async {
    let environment = ["PATH": fake(script)]
    // Only one that would go on for ever is waited for to the end of its time.
    let seconds = number == ETIMEDOUT ? 1 : 60
    await #expect(throws: ImageFailure.cannotStart(program: "bwrap", errorNumber: number)) {
      try await Sandbox.available(environment, seconds: seconds)
    }
  }

  @Test func `a large environment does not turn it off, and is not passed on`() async throws {
    let path = fake("env >\(folder.path)/seen; " + Self.passing)
    let environment = ["PATH": path, "SECRET": String(repeating: "x", count: 100_000)]
    #expect(try await Sandbox.available(environment) == .bubblewrap)
    let seen = String(decoding: folder.read("seen") ?? [], as: UTF8.self)
    #expect(seen.contains("PATH=") && !seen.contains("SECRET"))
  }

  @Test func `that there is none is remembered for a while, that there is one for good`()
    async throws
  {
    let time = Mutex(ContinuousClock.now)
    let probe = SandboxProbe(["PATH": fake("exit 1")]) { time.withLock { $0 } }
    #expect(try await probe.sandbox() == .none)
    _ = fake(Self.passing)
    #expect(try await probe.sandbox() == .none)
    time.withLock { $0 += .seconds(31) }
    #expect(try await probe.sandbox() == .bubblewrap)
    _ = fake("exit 1")
    time.withLock { $0 += .seconds(1_000_000) }
    #expect(try await probe.sandbox() == .bubblewrap)
  }

  @Test func `a failure is not remembered`() async throws {
    let probe = SandboxProbe(["PATH": fake("kill -9 $$")])
    await #expect(throws: ImageFailure.self) { try await probe.sandbox() }
    _ = fake(Self.passing)
    #expect(try await probe.sandbox() == .bubblewrap)
  }

  /// The path of a folder with those programs alone, and bubblewrap.
  private func onlyPrograms(_ names: String...) throws -> String {
    let bin = TemporaryFolder.made(in: folder, "bin")
    for name in names { try #require(symlink("/usr/bin/\(name)", "\(bin)/\(name)") == 0) }
    // It says by another status than a shell that there is no such program.
    let script =
      #"while [ "$1" != -- ]; do shift; done; shift; command -v "$1" || exit 1; exec "$@""#
    folder.write("bin/bwrap", "#!/bin/sh\n\(script)\n", mode: 0o700)
    return bin
  }

  @Test func `it works whether or not the decoder is there, and says which`() async throws {
    let path = try onlyPrograms("prlimit")
    #expect(try await Sandbox.available(["PATH": path]) == .bubblewrap)
    #expect(
      try await render(path: path, in: .bubblewrap) == .failure(.notInstalled(program: "chafa")))
  }

  @Test(.enabled(if: allowsBubblewrap, "this machine lets no bubblewrap work"))
  func `in the sandbox there are no files and no network`() async throws {
    let environment = ["PATH": "/usr/bin:/bin"]
    let sandbox = try await Sandbox.available(environment)
    #expect(sandbox == .bubblewrap)
    let seen = try await ChildProcess.collect(
      sandbox.arguments() + [
        "python3", "-c",
        "import os, socket; print(*os.listdir('/'), *[name for _, name in socket.if_nameindex()])",
      ], environment: environment, within: .seconds(60), limit: 4_096)
    let text = String(decoding: seen.output, as: UTF8.self)
    let words = Set(text.split(whereSeparator: \.isWhitespace))
    #expect(seen.status == 0 && words.contains("usr"))
    #expect(words.isSubset(of: ["usr", "lib", "lib64", "bin", "lo"]), "\(words)")
    let picture = try await render(in: sandbox).get()
    #expect(picture == (try await render(in: .none).get()))
  }

  /// A folder outside of the system's in which `chafa` is, under another name,
  /// with its library beside it.
  private func ownDecoder() async -> [String: String] {
    let made = await Program.run(
      "cd \(folder.path); mkdir -p opt/bin opt/lib bin; cp /usr/bin/chafa opt/bin/real; "
        + "cp -L $(ldd /usr/bin/chafa | grep -o '/[^ ]*libchafa[^ ]*') opt/lib; "
        + "ln -s ../opt/bin/real bin/chafa; "
        + "for name in bwrap prlimit ldd; do ln -s /usr/bin/$name bin; done")
    #expect(made.status == 0, "\(made.errorText)")
    return [
      "PATH": "\(folder.path)/bin", "LD_LIBRARY_PATH": "\(folder.path)/opt/bin/../lib",
    ]
  }

  private func picture(by environment: [String: String]) async throws -> Result<
    Picture, ImageFailure
  > {
    let sandbox = try await Sandbox.available(environment)
    #expect(sandbox == .bubblewrap)
    return await ImageRenderer(
      size: PictureSize(columns: 10, rows: 4), graphics: .blocks, colorCount: 2,
      environment: environment
    ).render(try file(), in: sandbox)
  }

  @Test(.enabled(if: allowsBubblewrap && hasChafa, "this machine lets no bubblewrap work"))
  func `a decoder of the user's own works in the sandbox, with its libraries`() async throws {
    let picture = try await picture(by: ownDecoder())
    #expect(try await picture.get() == render(in: .none).get())
  }

  @Test(.enabled(if: allowsBubblewrap && hasChafa, "this machine lets no bubblewrap work"))
  func `a decoder that does not work in the sandbox is told of`() async throws {
    let environment = await ownDecoder()
    #expect(Program.runAndWait("rm \(folder.path)/bin/chafa").status == 0)
    folder.write("notes", "text")
    folder.write("bin/chafa", "#!/bin/sh\nread line <\(folder.path)/notes || exit 3\n", mode: 0o700)
    #expect(try await picture(by: environment) == .failure(.shutIn(program: "chafa")))
  }

  @Test(.enabled(if: hasChafa))
  func `where it works the decoder is started by it`() async throws {
    let path = fake(Self.passing)
    #expect(try await Sandbox.available(["PATH": path]) == .bubblewrap)
    let picture = try await render(path: path, in: .bubblewrap)
    #expect((try? picture.get()) != nil)
    _ = fake("exit 3")
    #expect(try await render(path: path, in: .bubblewrap) == .failure(.undecodable))
  }
}

/// Whether the system lets bubblewrap work, as far as bubblewrap says.
private let allowsBubblewrap =
  Program.runAndWait("bwrap --unshare-all --ro-bind / / true").status == 0
