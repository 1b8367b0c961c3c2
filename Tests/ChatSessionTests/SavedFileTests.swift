import ChatModel
import FileSystem
import Glibc
import TestSupport
import Testing
import Transport

@testable import ChatSession

@Suite struct SavedFileTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    ("cat.png", "cat.png"), ("../../.bashrc", "_.._.bashrc"), ("a/b", "a_b"), ("", "image"),
    (".", "image"), ("..", "image"), ("/", "_"), ("-rf", "rf"), ("- -x", "x"), (" .a", "a"),
    (".bashrc", "bashrc"), ("a\nb", "a_b"), ("a\u{1b}[2Jb", "a_[2Jb"), ("a\u{202e}b", "a_b"),
    ("a\u{0}b", "a_b"), ("~root", "~root"), ("고양이 사진.jpg", "고양이 사진.jpg"),
    ("a\u{2028}b", "a_b"), ("$(x) `y`;z", "$(x) `y`;z"), ("a\\b", "a\\b"),
  ])
  func `a stranger's name is one safe name`(name: String, safe: String) {
    #expect(SavedFile.name(name) == safe)
  }

  @Test(arguments: [
    "a" + String(repeating: "\u{301}", count: 110) + ".bash_profile",
    String(repeating: ".", count: 300) + ".bash_profile",
    "." + String(repeating: "\u{301}", count: 300) + ".bashrc",
    String(repeating: "-", count: 300), String(repeating: ".", count: 300) + "\u{301}",
  ])
  func `a long name is not hidden and no option either`(name: String) throws {
    let first = try #require(SavedFile.name(name).unicodeScalars.first)
    #expect(first != "." && first != "-")
  }

  @Test(arguments: [
    ("cat.png", "png", "cat.png"), ("cat.PNG", "png", "cat.PNG"), ("cat", "png", "cat.png"),
    ("cat.exe", "png", "cat.exe.png"), ("cat.jpeg", "jpg", "cat.jpeg"),
    ("cat.png", "jpg", "cat.jpg"), ("cat.JPEG", "png", "cat.png"), ("png", "gif", "png.gif"),
    ("", "gif", "image.gif"), (".png", "png", "png.png"),
  ])
  func `an image's name ends as its contents say`(name: String, type: String, safe: String) {
    #expect(SavedFile.name(name, extension: type) == safe)
  }

  @Test(arguments: ["x", "한", "👩‍👩‍👧‍👦", "\u{301}"])
  func `a long name is cut, and keeps its beginning and its end`(cluster: String) {
    let name = "a" + String(repeating: cluster, count: 300) + ".tar"
    let safe = SavedFile.name(name)
    #expect((180...210).contains(safe.utf8.count))
    #expect(safe.unicodeScalars.first == "a" && safe.hasSuffix(".tar"))
    #expect(SavedFile.name(name, extension: "png").utf8.count <= 220)
    let odd = SavedFile.name("a." + String(repeating: "b", count: 300))
    #expect(odd.utf8.count <= 210)
  }

  private func copy(
    _ path: String, as name: String, in folder: String
  ) async throws -> String {
    try await SavedFile.copy(RoomFiles.open(path, limit: .max), as: name, in: folder)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : 0
  }

  private var target: String {
    let path = "\(folder.path)/saved"
    mkdir(path, 0o700)
    return path
  }

  @Test func `copies for the owner only, and never in the place of anything`() async throws {
    let source = folder.write("source", [UInt8](repeating: 7, count: 300_000), mode: 0o644)
    var names: [String] = []
    for _ in 0..<3 { names.append(try await copy(source, as: "cat.png", in: target)) }
    #expect(names == ["cat.png", "cat-1.png", "cat-2.png"].map { "\(target)/\($0)" })
    for name in names {
      #expect(contents(of: name) == contents(of: source))
      #expect(mode(name) == S_IFREG | 0o600)
    }
    #expect(try await copy(source, as: "cat.png", in: target + "//") == "\(target)/cat-3.png")
    #expect(try await copy(source, as: "Makefile", in: target) == "\(target)/Makefile")
    #expect(try await copy(source, as: "Makefile", in: target) == "\(target)/Makefile-1")
  }

  @Test(arguments: [("none", ENOENT), ("source", ENOTDIR)])
  func `what is wrong with a folder is said of the folder`(name: String, number: Int32) async {
    let source = folder.write("source", "x")
    let failure = await #expect(throws: SavedFile.Failure.self) {
      _ = try await copy(source, as: "cat.png", in: "\(folder.path)/\(name)")
    }
    #expect(failure?.path == "\(folder.path)/\(name)" && failure?.errorNumber == number)
  }

  @Test func `an empty file is copied as well`() async throws {
    let source = folder.write("source", "")
    #expect(contents(of: try await copy(source, as: "a", in: target)) == [])
  }

  @Test func `goes through no link`() async throws {
    let source = folder.write("source", "new")
    let precious = folder.write("precious", "old")
    try #require(symlink(precious, "\(target)/cat.png") == 0)
    try #require(symlink("\(folder.path)/none", "\(target)/cat-1.png") == 0)
    #expect(try await copy(source, as: "cat.png", in: target) == "\(target)/cat-2.png")
    #expect(folder.read("precious") == Array("old".utf8))
    #expect(access("\(folder.path)/none", F_OK) != 0)
  }

  @Test func `says what stands in the way`() async throws {
    let source = folder.write("source", "new")
    func failure(_ path: String, _ folder: String) async -> Int32? {
      do {
        _ = try await copy(path, as: "x", in: folder)
        return nil
      } catch {
        return (error as? SavedFile.Failure)?.errorNumber
      }
    }
    #expect(await failure(source, "\(folder.path)/none") == ENOENT)
    #expect(await failure(source, source) == ENOTDIR)
  }

  @Test(arguments: ["hallo", "hello there", "he"])
  func `what was changed since it was opened is not saved`(text: String) async throws {
    let source = folder.write("source", "hello")
    let opened = try RoomFiles.open(source, limit: 100)
    #expect(Program.runAndWait("touch -r \(source) \(source).time").status == 0)
    folder.write("source", text)
    #expect(Program.runAndWait("touch -r \(source).time \(source)").status == 0)
    let failure = await #expect(throws: SavedFile.Failure.self) {
      _ = try await SavedFile.copy(opened, as: "x", in: target)
    }
    #expect(failure?.path == source && failure?.errorNumber == nil)
    #expect(access("\(target)/x", F_OK) != 0)
  }

  @Test func `what takes the place of a file is not saved as that file`() async throws {
    let files = RoomFiles(room: "\(folder.path)/a.jsonl")
    let stored = try await files.store(folder.write("source", "hello"))
    let fetched = try await files.fetch(stored.path, sha256: nil) { _, _ in }
    #expect(rename(folder.write("other", "hallo"), fetched.path) == 0)
    // That takes its name away, which is a change of the file itself.
    await #expect(throws: SavedFile.Failure.self) {
      try await SavedFile.copy(fetched, as: "x", in: target)
    }
    #expect(access("\(target)/x", F_OK) != 0)
  }
}
