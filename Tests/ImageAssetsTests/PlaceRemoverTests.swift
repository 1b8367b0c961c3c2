import FileSystem
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
    let prepared = try await remover.prepare(path)
    #expect(prepared.tellsLess && prepared.contents == Samples.jpegPhoto)
    #expect(prepared.file.path == path)
    #expect(contents(of: path) == before)
  }

  @Test func `a copy is for nobody else, and leaves nothing behind`() async throws {
    let prepared = try await remover.prepare(photo())
    #expect(prepared.contents == Samples.jpegPhoto)
    let out = await Program.run("stat -c %a \(folder.path)/out; ls -A \(folder.path)/out")
    #expect(out.lines == ["700"])
  }

  @Test func `what was looked at is what is sent, whatever is there later`() async throws {
    let text = folder.write("notes", "nothing")
    let prepared = try await remover.prepare(text)
    try #require(rename(photo(), text) == 0)
    #expect(prepared.contents == Array("nothing".utf8))
  }

  @Test func `what cannot be read is not sent as it is`() async throws {
    let number = open(photo(), O_WRONLY | O_CLOEXEC)
    await #expect(throws: PlaceFailure.notRead(errorNumber: EBADF)) {
      try await remover.prepare(OpenFile(number, path: "photo.jpg"))
    }
  }

  @Test func `a film that does not fit into memory is not sent`() async throws {
    let size = Samples.jpegPhoto.count
    let path = folder.write("photo.jpg", Samples.jpegPhoto)
    for limit in [size, size - 1] {
      let remover = PlaceRemover(
        folder: "\(folder.path)/out", environment: [:], limitInBytes: limit)
      if limit == size {
        #expect(try await remover.prepare(path).contents == Samples.jpegPhoto)
      } else {
        await #expect(throws: PlaceFailure.tooLarge(limitInBytes: limit)) {
          try await remover.prepare(path)
        }
      }
    }
  }

  @Test func `where no copy can be made, it is made where temporary files are`() async throws {
    folder.write("out", "a file")
    await #expect(
      throws: PlaceFailure.notCopied(path: "\(folder.path)/other", errorNumber: ENOENT)
    ) { try await remover.prepare(photo()) }
    mkdir("\(folder.path)/other", 0o700)
    #expect(try await remover.prepare(photo()).contents == Samples.jpegPhoto)
  }
}

extension PlaceRemover {
  /// What would be sent of the file at a path.
  func prepare(_ path: String) async throws -> PreparedFile {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    try #require(number >= 0)
    return try await prepare(OpenFile(number, path: path))
  }
}

extension PreparedFile {
  var contents: [UInt8] { TestSupport.contents(of: "/proc/self/fd/\(file.number)") ?? [] }
}
