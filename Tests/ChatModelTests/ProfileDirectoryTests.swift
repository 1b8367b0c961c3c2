import Testing

@testable import ChatModel

struct ProfileDirectoryTests {
  private func moment(_ second: Int64) -> Timestamp { Timestamp(milliseconds: second * 1_000) }

  private func message(_ author: String, name: String? = nil, image: String? = nil) -> Message {
    Message(id: "m", profileID: author, profileName: name, profileImage: image, content: "x")
  }

  @Test func `counts messages and notes when a profile was seen`() throws {
    var directory = ProfileDirectory()
    for second: Int64 in [5, 3, 9] { directory.note(message("jane"), at: moment(second)) }
    let entry = try #require(directory["jane"])
    #expect(entry.messageCount == 3)
    #expect(entry.firstSeen == moment(3) && entry.lastSeen == moment(9))
    #expect(entry.isPresent == nil)
    #expect(directory["bob"] == nil)
  }

  @Test func `goes by the newest name and picture, and keeps them where none is given`() {
    var directory = ProfileDirectory()
    #expect(directory.name(of: "jane") == "jane")
    directory.note(message("jane"), at: moment(1))
    #expect(directory.name(of: "jane") == "jane")
    directory.note(message("jane", name: "Jane", image: "a.png"), at: moment(2))
    directory.note(message("jane", name: "", image: ""), at: moment(3))
    #expect(directory.name(of: "jane") == "Jane")
    #expect(directory["jane"]?.profile.image == "a.png")
  }

  @Test func `leaves fields that a change does not name, and clears empty ones`() {
    var directory = ProfileDirectory()
    let first = ProfileChange(
      eventID: "1", profileID: "jane", profileName: "Jane", profileImage: "a.png",
      fields: ["about": "hi", "city": "Seoul"])
    directory.note(first, at: moment(1))
    let second = ProfileChange(
      eventID: "2", profileID: "jane", profileImage: "", fields: ["about": ""])
    directory.note(second, at: moment(2))
    let profile = directory["jane"]?.profile
    #expect(profile == Profile(id: "jane", name: "Jane", image: nil, fields: ["city": "Seoul"]))
    #expect(directory["jane"]?.messageCount == 0)
  }

  @Test func `keeps of a stranger's fields as much as anybody reads`() {
    var directory = ProfileDirectory()
    let long = String(repeating: "e\u{301}", count: 100_000)
    let fields = Dictionary(uniqueKeysWithValues: (0..<200).map { ("field \($0)", long) })
    directory.note(
      ProfileChange(eventID: "1", profileID: "jane", profileName: long, fields: fields),
      at: moment(1))
    let profile = directory["jane"]?.profile
    #expect(profile?.fields.count == 50)
    #expect(profile?.name.utf8.count == 1_000)
    #expect(profile?.fields.values.allSatisfy { $0.utf8.count == 1_000 } == true)
    directory.note(
      message("bob", name: String(repeating: "한", count: 900)), at: moment(1))
    #expect(directory.name(of: "bob") == String(repeating: "한", count: 333))
  }

  @Test func `finds a field again whose name was too long`() {
    var directory = ProfileDirectory()
    let long = String(repeating: "x", count: 2_000)
    var fields = Dictionary(uniqueKeysWithValues: (0..<49).map { ("field \($0)", "x") })
    fields[long] = "old"
    directory.note(
      ProfileChange(eventID: "1", profileID: "jane", fields: fields), at: moment(1))
    directory.note(
      ProfileChange(eventID: "2", profileID: "jane", fields: [long: "new"]), at: moment(2))
    #expect(directory["jane"]?.profile.fields[String(long.prefix(1_000))] == "new")
  }

  @Test func `knows who is present`() {
    var directory = ProfileDirectory()
    for isPresent in [true, false] {
      let presence = Presence(eventID: "1", profileID: "bob", isPresent: isPresent)
      directory.note(presence, at: moment(1))
      #expect(directory["bob"]?.isPresent == isPresent)
    }
  }

  @Test func `puts those first who spoke last, not those who were only seen`() {
    var directory = ProfileDirectory()
    for id in ["a", "b", "c", "a"] { directory.note(message(id), at: moment(1)) }
    directory.note(Presence(eventID: "1", profileID: "b", isPresent: true), at: moment(99))
    directory.note(Presence(eventID: "2", profileID: "z", isPresent: true), at: moment(99))
    #expect(directory.byRecency.map(\.profile.id) == ["a", "c", "b", "z"])
  }

  @Test(arguments: [1, 2, 3, 100])
  func `stays within its bounds and forgets the silent first`(capacity: Int) {
    var directory = ProfileDirectory(capacity: capacity)
    directory.note(Presence(eventID: "1", profileID: "silent", isPresent: true), at: moment(0))
    for number in 0..<1_000 {
      directory.note(message("\(number)"), at: moment(Int64(number)))
      #expect(directory.byRecency.count <= capacity)
      #expect(directory["\(number)"] != nil)
    }
    #expect(directory["silent"] == nil)
  }
}
