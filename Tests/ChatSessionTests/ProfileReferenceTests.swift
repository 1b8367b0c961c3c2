import ChatModel
import ChatSession
import TestSupport
import Testing

struct ProfileReferenceTests {
  private let profiles = [
    Profile(id: "u1", name: "민수"), Profile(id: "u2", name: "Max \"plew\" M"),
    Profile(id: "u3", name: "Jane"), Profile(id: "u4", name: "Jane"),
    Profile(id: "u5", name: "u6"), Profile(id: "u6", name: "Bob"), Profile(id: "u7", name: ""),
    Profile(id: "u8", name: "İstanbul"), Profile(id: "u9", name: "/admin"),
    Profile(id: "\u{1b}[2J", name: "\u{301}"), Profile(id: "", name: " "),
  ]

  @Test(arguments: [
    ("민수", "u1"), ("\u{1106}\u{1175}\u{11ab}\u{1109}\u{116e}", "u1"), ("MAX \"PLEW\" m", "u2"),
    ("u3", "u3"), ("u6", "u6"), ("bob", "u6"), ("u7", "u7"), ("İstanbul", "u8"), ("/admin", "u9"),
    ("\"u4\"", "u4"), (#""\u001b[2J""#, "\u{1b}[2J"), ("\"\"", ""),
  ])
  func `finds whom an argument names`(_ argument: String, _ id: String) {
    guard case .found(let profile) = ProfileReference(profiles).resolve(argument) else {
      Issue.record("nobody")
      return
    }
    #expect(profile.id == id)
  }

  @Test func `tells when several or none are meant`() {
    let reference = ProfileReference(profiles)
    #expect(reference.resolve("Jane") == .ambiguous([profiles[2], profiles[3]]))
    #expect(reference.resolve("jane") == .ambiguous([profiles[2], profiles[3]]))
    #expect(reference.resolve("Jan") == .unknown)
    #expect(reference.resolve("\"Jane\"") == .unknown)
  }

  @Test(arguments: 0..<400)
  func `reads back whatever it writes, through the parser of lines`(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let profiles = hostileProfiles(&random)
    let reference = ProfileReference(profiles)
    for profile in profiles {
      let argument = reference.argument(for: profile)
      #expect(reference.resolve(argument) == .found(profile), "\(argument.debugDescription)")
      let line = InputLine("/profile \(argument)")
      guard case .command("profile", let read) = line else {
        Issue.record("\(argument.debugDescription) is read as \(line)")
        continue
      }
      #expect(read.utf8.elementsEqual(argument.utf8), "\(argument.debugDescription)")
    }
  }

  /// Profiles whose names are others' ids, quoted ids, equal, empty, invisible.
  private func hostileProfiles(_ random: inout SeededRandom) -> [Profile] {
    let parts = [
      "a", "A", "민", "ㅁ", "é", "e\u{301}", "\u{301}", "\u{200b}", "\u{202e}", "\"", "\\", "'", " ",
      "\n", "\t", "\u{1b}", "\u{9b}", "\0", "/", "//", "#", "@", "İ", "ß", "SS", "👩‍👧", "\u{2028}",
      "\u{a0}", "\u{fe0f}", "\\u0041", "\r\n", "12", "-x", ":x:",
    ]
    var ids: Set<String> = []
    for _ in 0..<12 {
      ids.insert(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          parts.randomElement(using: &random) ?? ""
        }.joined())
    }
    for id in ids.sorted().prefix(4) { ids.insert("\"\(id)\"") }
    let sorted = ids.sorted()
    return sorted.map { id in
      let name: String? =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: sorted.randomElement(using: &random)
        case 1: sorted.randomElement(using: &random).map { "\"\($0)\"" }
        default: parts.randomElement(using: &random)
        }
      return Profile(id: id, name: name ?? "")
    }
  }
}
