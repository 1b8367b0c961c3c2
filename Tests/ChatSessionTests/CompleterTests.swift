import ChatModel
import LinePrompt
import TestSupport
import Testing

@testable import ChatSession

struct CompleterTests {
  private let profiles = [
    Profile(id: "u1", name: "민수"), Profile(id: "u2", name: "Max \"plew\" M"),
    Profile(id: "u3", name: "Jane"), Profile(id: "u4", name: "Jane"),
    Profile(id: "u5", name: "O'Neil"),
    Profile(id: "u6", name: "a b"), Profile(id: "u7", name: "/admin"),
    Profile(id: "u8", name: "#x"),
    Profile(id: "u9", name: #"back\slash"#), Profile(id: "u10", name: "İstanbul"),
    Profile(id: "u11", name: "ßeta"), Profile(id: "u12", name: "e\u{301}mile"),
    Profile(id: "h\u{1b}", name: ""),
  ]

  private var completer: Completer {
    Completer(
      commands: Command.all, aliases: ["brb"], farCommands: ["topic"], profiles: profiles,
      rooms: { [("lobby", "lobby"), ("로비", "로비"), ("far away", "chat://host/far")] },
      openRooms: { ["team", "lobby"] }, files: FileNames.matching,
      messageNumbers: { [12, 11, 2, 1] })
  }

  /// The lines that Tab could make of `line`.
  private func lines(_ line: String) -> [String] {
    let reply = completer.complete(line)
    let kept = String(decoding: line.utf8.prefix(reply.range.lowerBound), as: UTF8.self)
    return reply.candidates.map { kept + $0.insert }
  }

  @Test(arguments: [
    ("/pro", ["/profile "]), ("/b", ["/brb "]), ("/re", ["/react ", "/reply ", "/retry "]),
    ("/zz", []), ("//pro", []), ("/help qu", ["/help quit"]),
    ("/to", ["/topic "]), ("/help to", ["/help topic"]), ("/topic @민", ["/topic @민수 "]),
    ("/join l", ["/join lobby"]), ("/join ㄹ", ["/join 로비"]),
    ("/join far", ["/join chat://host/far"]), ("/join CHAT:", ["/join chat://host/far"]),
    ("/leave T", ["/leave team"]),
    ("/help RE", ["/help react", "/help reply", "/help retry"]),
    ("/style c", ["/style compact"]), ("/set bel", ["/set bell"]),
    ("/set bell m", ["/set bell mentions"]), ("/set  bell  a", ["/set  bell  all"]),
    ("/set nothing m", []), ("/quit x", []),
    ("/reply 1", ["/reply 12 ", "/reply 11 ", "/reply 1 "]), ("/reply x", []),
  ])
  func `completes commands and their arguments`(_ line: String, _ expected: [String]) {
    #expect(lines(line) == expected)
  }

  @Test(arguments: [
    ("ㅁㅅ", ["민수: "]), ("민", ["민수: "]), ("\u{1106}\u{1175}\u{11ab}", ["민수: "]),
    ("max \"P", ["Max \"plew\" M: "]), ("o'", ["O'Neil: "]), ("a", ["a b: "]), ("a b", ["a b: "]),
    ("#", ["#x: "]), ("BACK\\", [#"back\slash: "#]), ("is", ["İstanbul: "]), ("i̇s", ["İstanbul: "]),
    ("SS", ["ßeta: "]), ("ß", ["ßeta: "]), ("é", ["e\u{301}mile: "]), ("E", ["e\u{301}mile: "]),
    ("", []), ("hello ja", []),
  ])
  func `completes a name at the line's start`(_ line: String, _ expected: [String]) {
    #expect(lines(line) == expected)
  }

  @Test(arguments: [
    ("hi @ㅁ", ["hi @민수 "]), ("@max \"", ["@Max \"plew\" M "]),
    ("/me greets @o", ["/me greets @O'Neil "]),
    ("/reply 3 @a b", ["/reply 3 @a b "]), ("mail@jane", []), ("민수: @#", ["민수: @#x "]),
  ])
  func `completes a name after an at sign`(_ line: String, _ expected: [String]) {
    #expect(lines(line) == expected)
  }

  @Test func `tells equal names apart by id`() {
    let reply = completer.complete("@jane")
    #expect(reply.candidates.map(\.label) == ["Jane (u3)", "Jane (u4)"])
    #expect(lines("/profile jane") == ["/profile u3", "/profile u4"])
    #expect(completer.complete("ㅁ").candidates.map(\.label) == ["민수"])
  }

  @Test func `completes an argument that names exactly that profile`() throws {
    let reference = ProfileReference(profiles)
    let reply = completer.complete("/profile ")
    #expect(reply.candidates.count == profiles.count)
    for (candidate, profile) in zip(reply.candidates, profiles) {
      #expect(reference.resolve(candidate.insert) == .found(profile))
      #expect(!candidate.label.unicodeScalars.contains { $0.value < 0x20 })
    }
  }

  @Test(arguments: [(":thumbsu", "👍"), ("so :tada", "so 🎉"), ("/react 2 :fire", "/react 2 🔥")])
  func `completes emoji by name`(_ line: String, _ expected: String) {
    #expect(lines(line).first == expected)
  }

  @Test func `knows emoji by Unicode's names and by the usual ones`() {
    #expect(EmojiNames.emoji(":grinning_face:") == "😀")
    #expect(EmojiNames.emoji(":+1:") == "👍")
    #expect(EmojiNames.emoji(":no such:") == nil)
    #expect(EmojiNames.emoji("::") == nil)
    #expect(EmojiNames.matching("grinning_face").allSatisfy { $0.emoji.count == 1 })
  }

  @Test func `completes files, with blanks and quotes and after other files`() throws {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    for name in ["my photo.png", "it's \"x\".png", ".hidden"] { folder.write(name, "") }
    let path = folder.path
    #expect(lines("/attach \(path)/my") == [#"/attach \#(path)/my\ photo.png "#])
    #expect(lines(#"/attach \#(path)/my\ ph"#) == [#"/attach \#(path)/my\ photo.png "#])
    #expect(lines(#"/attach x.png "\#(path)/my ph"#) == [#"/attach x.png \#(path)/my\ photo.png "#])
    #expect(lines("/attach \(path)/it") == [#"/attach \#(path)/it\'s\ \"x\".png "#])
    #expect(lines("/attach \(path)/.h") == ["/attach \(path)/.hidden "])
    #expect(lines("/attach \(path)/").count == 2)
    #expect(lines("/attach x.png -- @ㅁ") == ["/attach x.png -- @민수 "])
    #expect(lines("/attach /us") == ["/attach /usr/"])
    #expect(lines("/attach ~") == ["/attach ~/"])
  }

  @Test(arguments: [
    ("/images o", ["open "]), ("/images al", ["all"]),
    ("/images 12 ", ["open ", "save ", "copy "]),
    ("/images 12 1 c", ["copy "]), ("/images 12 al", []), ("/images open ", []),
    ("/images 1", ["12 ", "11 ", "1 "]), ("/images save ~", ["~/"]),
    ("/images save /us", ["/usr/"]),
    ("/images 12 1 save /us", ["/usr/"]), ("/images 12 save /etc/host", []),
    ("/images save /usr /us", []),
  ])
  func `completes what can be done with images, and folders only`(
    _ line: String, _ expected: [String]
  ) {
    #expect(completer.complete(line).candidates.map(\.insert) == expected)
  }

  @Test func `completes files whose case or normal form is another one`() {
    let folder = TemporaryFolder()
    defer { folder.remove() }
    // As a Mac writes it: decomposed.
    let name = "\u{1109}\u{1161}\u{110c}\u{1175}\u{11ab} 1.jpg"
    for name in [name, "IMG_1.JPG"] { folder.write(name, "") }
    let path = folder.path
    #expect(
      lines("/attach \(path)/사").map { Array($0.utf8) }
        == [Array("/attach \(path)/\(FileNames.quoted(name)) ".utf8)])
    #expect(lines("/attach \(path)/img") == ["/attach \(path)/IMG_1.JPG "])
  }
}
