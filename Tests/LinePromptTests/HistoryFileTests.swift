import Glibc
import TerminalText
import Testing

@testable import LinePrompt

@Suite struct HistoryFileTests {
  private let folder = TemporaryFolder()

  private func file(limit: Int = 100) -> HistoryFile {
    HistoryFile(path: folder.path + "/history", limit: limit)
  }

  private var mode: mode_t {
    var status = stat()
    return stat(file().path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test(arguments: [
    "plain", "two\nlines\n", "back\\slash\\n", " blank first", "민수 👨‍👩‍👧", "\\", "a\tb",
  ])
  func `an entry comes back as it was`(entry: String) {
    #expect(file().append(entry))
    #expect(file().load() == [entry])
  }

  @Test func `the file is its owner's alone, whatever it was`() {
    file().append("a")
    #expect(mode == 0o600)
    chmod(file().path, 0o644)
    _ = file().load()
    #expect(mode == 0o600)
  }

  @Test func `it is cut to its newest entries when it is loaded`() {
    for number in 1...16 { file(limit: 10).append("\(number)") }
    #expect(file(limit: 100).load().count == 16)
    #expect(file(limit: 10).load() == (7...16).map { "\($0)" })
    #expect(file(limit: 100).load() == (7...16).map { "\($0)" })
    #expect(mode == 0o600)
  }

  @Test func `it is cut to half its size when it has become too large`() {
    var file = file(limit: 1000)
    file.sizeLimit = 100
    for number in 10..<60 { file.append("entry \(number)") }
    let kept = file.load()
    #expect(kept.last == "entry 59" && kept.count < 12 && kept.count >= 5)
  }

  @Test func `an entry is added without reading the others`() {
    folder.write("history", Array(String(repeating: "some words\n", count: 400_000).utf8))
    let start = ContinuousClock.now
    for number in 1...50 { file(limit: 1_000_000).append("\(number)") }
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `a link to the file stays one when the file is cut`() {
    folder.write("dotfile", Array((1...40).map { "\($0)\n" }.joined().utf8))
    #expect(symlink("dotfile", file().path) == 0)
    #expect(file(limit: 10).load().last == "40")
    var status = stat()
    #expect(lstat(file().path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(HistoryFile(path: folder.path + "/dotfile", limit: 100).load().count == 10)
  }

  @Test func `of a very long file only the end is read`() {
    let lines = String(repeating: "some words\n", count: 600_000) + "first\nlast\n"
    folder.write("history", Array(lines.utf8))
    let start = ContinuousClock.now
    #expect(file(limit: 2).load() == ["first", "last"])
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(file(limit: 100).load() == ["first", "last"])
  }

  @Test(arguments: [1, 100, 65_535, 65_536, 200_000])
  func `lines of any length are found from the end`(length: Int) {
    let lines = (1...8).map { "\($0)" + String(repeating: "x", count: length) }
    #expect(file().append(lines))
    #expect(file(limit: 6).load() == Array(lines.suffix(6)))
    folder.write("history", [UInt8](repeating: 0x0A, count: 100_000))
    #expect(file().load().isEmpty)
  }

  @Test func `nothing is lost when one loads and cuts while another appends`() async {
    let writer = file(limit: 1000)
    let reader = file(limit: 10)
    async let appended = Task { (1...200).map { writer.append("\($0)") } }.value
    for _ in 1...50 { _ = reader.load() }
    #expect(await appended.allSatisfy { $0 })
    #expect(writer.load().suffix(10) == (191...200).map { "\($0)" })
  }

  @Test func `entries of several writers are all kept`() async {
    let file = file(limit: 1000)
    await withTaskGroup(of: Void.self) { group in
      for writer in 1...4 {
        group.addTask { for number in 1...25 { file.append("\(writer).\(number)") } }
      }
    }
    #expect(Set(file.load()).count == 100)
  }

  @MainActor
  @Test func `Enter does not wait for a file that another process holds`() {
    folder.write("history", [])
    let holder = open(file().path, O_RDWR | O_CLOEXEC)
    defer { close(holder) }
    #expect(flock(holder, LOCK_EX) == 0)
    var configuration = LinePrompt.Configuration(measure: TextMeasure())
    configuration.historyPath = file().path
    let prompt = LinePrompt(configuration)
    let start = ContinuousClock.now
    for number in 1...20 { prompt.addHistory("\(number)") }
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `half a line that a killed process left does not join the next`() {
    folder.write("history", [0x61, 0x62])
    file().append("c")
    #expect(file().load() == ["ab", "c"])
  }

  @Test func `bad bytes, a folder or a missing file never stop anything`() {
    folder.write("history", [0xFF, 0x00, 0x61, 0x0A, 0x62, 0x5C])
    #expect(file().load() == ["\u{FFFD}a", "b\\"])
    let none = HistoryFile(path: folder.path + "/missing/history", limit: 5)
    #expect(none.load().isEmpty)
    #expect(none.append("x"))
    let isFolder = HistoryFile(path: folder.path, limit: 5)
    #expect(isFolder.load().isEmpty)
    #expect(!isFolder.append("x"))
    #expect(HistoryFile(path: "/dev/null", limit: 5).load().isEmpty)
  }
}
