@testable import ChatModel

/// Events of every kind.
enum EventSamples {
  static let moment = Timestamp(rfc3339: "2026-11-30T08:16:00.123Z")

  /// A message that has every field.
  static let fullMessage = Event.message(
    Message(
      id: "m1", profileID: "minsu", profileName: "민수", profileImage: "https://x/y.png",
      content: "안녕", images: ["a.png", "b \"c\".png"],
      files: [
        FileReference(
          path: "f/1", name: "원.pdf", mediaType: "application/pdf", sizeInBytes: 12,
          sha256: "00ff"),
        FileReference(path: "f/2"),
      ],
      createdAt: moment, replyTo: "m0", isAction: true, isTruncated: true))

  static let all: [Event] = [
    fullMessage,
    .message(Message(id: "m", profileID: "p", content: "")),
    .message(Message(id: "m", profileID: "p", images: ["a"])),
    .message(Message(id: "m", profileID: "p", files: [FileReference(path: "")])),
    .edit(Edit(eventID: "e", messageID: "m", profileID: "p", content: "", createdAt: moment)),
    .edit(Edit(eventID: "e", messageID: "m", profileID: "p", content: "x")),
    .deletion(Deletion(eventID: "e", messageID: "m", profileID: "p", createdAt: moment)),
    .deletion(Deletion(eventID: "e", messageID: "m", profileID: "p")),
    .reaction(Reaction(eventID: "e", messageID: "m", profileID: "p", reaction: "👨‍👩‍👧‍👦")),
    .reaction(
      Reaction(
        eventID: "e", messageID: "m", profileID: "p", reaction: "", isRemoved: true,
        createdAt: moment)),
    .profile(
      ProfileChange(
        eventID: "e", profileID: "p", profileName: "", profileImage: "",
        fields: ["about": "안녕\n", "\"": "\\", "messageID": "x"], createdAt: moment)),
    .profile(ProfileChange(eventID: "e", profileID: "p")),
    .presence(Presence(eventID: "e", profileID: "p", isPresent: false, createdAt: moment)),
    .presence(Presence(eventID: "e", profileID: "p", isPresent: true)),
    .notice(Notice(eventID: "e", content: "x", createdAt: moment)),
    .notice(Notice(eventID: "e", content: "")),
  ]
}
