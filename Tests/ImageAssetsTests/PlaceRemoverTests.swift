import Glibc
import TestSupport
import Testing

@testable import ImageAssets

/// The copies of photos that are sent.
@Suite(.timeLimit(.minutes(5)))
struct PlaceRemoverTests {
  private let folder = TemporaryFolder()

  private var remover: PlaceRemover {
    PlaceRemover(folder: "\(folder.path)/out", environment: ["TMPDIR": "\(folder.path)/other"])
  }

  private func photo() -> String {
    folder.write("my photo.jpg", Samples.jpegPhoto + Samples.place)
  }

  @Test func `the user's own file stays as it is`() async throws {
    let path = photo()
    let before = contents(of: path)
    let file = try await remover.prepare(path)
    #expect(file.tellsLess && contents(of: file.path) == Samples.jpegPhoto)
    #expect(contents(of: path) == before)
  }

  @Test func `a copy is for nobody else, and is gone when it is sent`() async throws {
    do {
      let file = try await remover.prepare(photo())
      defer { withExtendedLifetime(file) {} }
      #expect(file.path.hasPrefix(folder.path + "/out/") && file.path.hasSuffix("/my photo.jpg"))
      let modes = await Program.run("stat -c %a \(folder.path)/out \(quoted(file.path))").lines
      #expect(modes == ["700", "600"])
    }
    #expect(await Program.run("ls -A \(folder.path)/out").lines == [])
  }

  @Test func `copies that were left behind are removed after a day`() async throws {
    _ = await Program.run(
      "cd \(folder.path); mkdir -p out/old out/new; touch out/old/x.jpg; "
        + "touch -d '2 days ago' out/old")
    _ = try await remover.prepare(photo())
    #expect(await Program.run("ls \(folder.path)/out").lines == ["new"])
  }

  @Test func `where no copy can be made, it is made where temporary files are`() async throws {
    folder.write("out", "a file")
    await #expect(
      throws: PlaceFailure.notCopied(path: "\(folder.path)/other", errorNumber: ENOENT)
    ) { try await remover.prepare(photo()) }
    mkdir("\(folder.path)/other", 0o700)
    let file = try await remover.prepare(photo())
    #expect(file.path.hasPrefix("\(folder.path)/other/"))
    #expect(contents(of: file.path) == Samples.jpegPhoto)
  }
}
