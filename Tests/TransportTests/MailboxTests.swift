import ChatModel
import Testing

@testable import Transport

struct MailboxTests {
  private func event(_ number: Int) -> RoomEvent {
    RoomEvent(event: message("\(number)"), cursor: Cursor(value: "\(number)"))
  }

  private static let kinds: [RoomUpdate] = [
    .notice("n"), .reset, .state(.connecting), .identity(Profile(id: "x", name: "")),
    .live(Cursor(value: "c")), .events([RoomEvent(event: message("m"), cursor: Cursor(value: ""))]),
  ]

  @Test(arguments: kinds.indices)
  func `is full of many, whatever they are`(kind: Int) {
    var mailbox = Mailbox()
    for _ in 0..<999 { mailbox.add(Self.kinds[kind], sizeInBytes: 10) }
    #expect(!mailbox.isFull)
    mailbox.add(Self.kinds[kind], sizeInBytes: 10)
    #expect(mailbox.isFull)
    _ = mailbox.take()
    #expect(mailbox.isEmpty && !mailbox.isFull)
  }

  @Test func `is full of a few that are large`() {
    var mailbox = Mailbox()
    mailbox.add(.events([event(1)]), sizeInBytes: 200_000)
    #expect(!mailbox.isFull)
    mailbox.add(.notice("x"), sizeInBytes: 100_000)
    #expect(mailbox.isFull)
  }

  @Test func `keeps the order, and puts together what is of a kind`() {
    var mailbox = Mailbox()
    for update: RoomUpdate in [
      .replay([event(1)]), .replay([event(2)]), .events([event(3)]), .reset, .events([event(4)]),
      .events([event(5)]),
    ] {
      mailbox.add(update, sizeInBytes: 0)
    }
    let updates = mailbox.take()
    #expect(updates.count == 4)
    #expect(ids(updates).replayed == ["1", "2"] && ids(updates).arrived == ["3", "4", "5"])
  }
}
