import Glibc
import Processes
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct SandboxTests {
  private let folder = TemporaryFolder()

  private func renderer(path: String = "/usr/bin:/bin", sandbox: Sandbox = .none) -> ImageRenderer {
    ImageRenderer(
      size: PictureSize(columns: 10, rows: 4), graphics: .blocks, colorCount: 2,
      environment: ["PATH": path], sandbox: sandbox)
  }

  private func file() throws -> ImageFile {
    try ImageFile.read(folder.write("image.png", Samples.quarters(40, 30)), limits: ImageLimits())
  }

  @Test func `without bubblewrap there is no sandbox`() async {
    let bin = TemporaryFolder.made(in: folder, "bin")
    #expect(await Sandbox.available(["PATH": bin]) == .none)
  }

  @Test(arguments: ["exit 1", "kill -9 $$", "echo no >&2; exit 127", "exec sleep 600"])
  func `where bubblewrap does not work there is none either`(script: String) async {
    let bin = TemporaryFolder.made(in: folder, "bin")
    folder.write("bin/bwrap", "#!/bin/sh\n\(script)\n", mode: 0o700)
    #expect(await Sandbox.available(["PATH": "\(bin):/usr/bin:/bin"]) == .none)
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
    let path = try onlyPrograms("prlimit", "env", "true")
    #expect(await Sandbox.available(["PATH": path]) == .bubblewrap)
    #expect(
      await renderer(path: path, sandbox: .bubblewrap).render(try file())
        == .failure(.notInstalled(program: "chafa")))
  }

  @Test(.enabled(if: allowsBubblewrap, "this machine lets no bubblewrap work"))
  func `in the sandbox there are no files and no network`() async throws {
    let environment = ["PATH": "/usr/bin:/bin"]
    let sandbox = await Sandbox.available(environment)
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
    let picture = try await renderer(sandbox: sandbox).render(try file()).get()
    #expect(picture == (try await renderer().render(try file()).get()))
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
    let sandbox = await Sandbox.available(environment)
    #expect(sandbox == .bubblewrap)
    return await ImageRenderer(
      size: PictureSize(columns: 10, rows: 4), graphics: .blocks, colorCount: 2,
      environment: environment, sandbox: sandbox
    ).render(try file())
  }

  @Test(.enabled(if: allowsBubblewrap && hasChafa, "this machine lets no bubblewrap work"))
  func `a decoder of the user's own works in the sandbox, with its libraries`() async throws {
    let picture = try await picture(by: ownDecoder())
    #expect(try await picture.get() == renderer().render(try file()).get())
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
    let bin = TemporaryFolder.made(in: folder, "bin")
    let script = #"while [ "$1" != -- ]; do shift; done; shift; exec "$@""#
    folder.write("bin/bwrap", "#!/bin/sh\n\(script)\n", mode: 0o700)
    let path = "\(bin):/usr/bin:/bin"
    #expect(await Sandbox.available(["PATH": path]) == .bubblewrap)
    let picture = await renderer(path: path, sandbox: .bubblewrap).render(try file())
    #expect((try? picture.get()) != nil)
    folder.write("bin/bwrap", "#!/bin/sh\nexit 3\n", mode: 0o700)
    #expect(
      await renderer(path: path, sandbox: .bubblewrap).render(try file())
        == .failure(.undecodable))
  }
}

/// Whether the system lets bubblewrap work, as far as bubblewrap says.
private let allowsBubblewrap =
  Program.runAndWait("bwrap --unshare-all --ro-bind / / true").status == 0
