import ChatModel
import Glibc
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct FileRoomWritingTests {
  let folder = TemporaryFolder()

  private func room(patience: Duration = .seconds(60)) -> FileRoom {
    FileRoom(path: folder.room(), watching: .automatic, patience: patience)
  }

  @Test func `makes the file and its folders with the modes that umask leaves`() async throws {
    let path = folder.room("new/er/room.jsonl")
    try await sendOne(outgoing("a"), to: FileRoom(path: path))
    let mask = umask(0)
    umask(mask)
    #expect(try #require(try FileStatus(ofPath: path)).mode & 0o777 == 0o666 & ~mask)
    let made = try #require(try FileStatus(ofPath: folder.room("new")))
    #expect(made.mode & 0o777 == 0o777 & ~mask)
    #expect(try lines(of: path) == [String(line("a").dropLast())])
  }

  @Test func `makes no folders where it must not, and says so at once`() async throws {
    for name in ["none/room.jsonl", "none/er/room.jsonl", "file/room.jsonl"] {
      try "x".append(to: folder.room("file"))
      let room = FileRoom(path: folder.room(name), isOwn: false)
      let joining = await #expect(throws: TransportError.self) { try await room.join(tail: 1) }
      let sending = await room.send([outgoing("a")]).first?.error
      let wanted = name.hasPrefix("none") ? "make the folder first" : "Not a directory"
      for error in [joining, sending] {
        #expect(error?.code == .cannotCreate && error?.code.exitStatus == 73)
        #expect(error?.reason.contains(wanted) == true)
        #expect(error?.path == folder.room(String(name.dropLast("/room.jsonl".count))))
      }
    }
    #expect(access(folder.room("none"), F_OK) != 0)
    let room = FileRoom(path: folder.room("room.jsonl"), isOwn: false)
    try await sendOne(outgoing("a"), to: room)
  }

  @Test func `begins a new line after a torn one`() async throws {
    try #"{"torn"#.append(to: folder.room())
    try await sendOne(outgoing("a"), to: room())
    #expect(try lines(of: folder.room()) == [#"{"torn"#, String(line("a").dropLast())])
  }

  @Test func `gives the place after the event, as a reader does`() async throws {
    try (line("a") + "torn").append(to: folder.room())
    let room = room()
    let receipts = await room.send([outgoing("b"), outgoing("c")])
    try await room.join(tail: 50)
    let told = await room.told(until: "live")
    let cursors = receipts.compactMap { receipt in
      if case .sent(let cursor, _, _) = receipt { cursor } else { nil }
    }
    #expect(cursors == told.events.dropFirst().map(\.cursor))
  }

  @Test func `refuses an event that is too large, and only that one`() async throws {
    let huge = String(repeating: "x", count: EventCodec.maximumEventBytes)
    let room = room()
    let receipts = await room.send([outgoing("a"), outgoing("huge", huge), outgoing("b")])
    #expect(receipts.map { $0.error?.code } == [nil, .tooLarge, nil])
    #expect(try lines(of: folder.room()).count == 2)
  }

  @Test func `refuses an event with an id that no reader takes, and only that one`() async throws {
    let long = String(repeating: "x", count: EventCodec.maximumIDBytes + 1)
    let message = Message(id: "b", profileID: "jane", content: "hi", replyTo: long)
    let receipts = await room().send([
      outgoing("a"), outgoing(long), OutgoingEvent(event: .message(message)),
      outgoing(String(long.dropLast())),
    ])
    #expect(receipts.map { $0.error?.code } == [nil, .tooLarge, .tooLarge, nil])
    #expect(receipts[1].error?.reason.contains("messageID is longer than 1024 bytes") == true)
    #expect(receipts[2].error?.reason.contains("replyTo") == true)
    #expect(try lines(of: folder.room()).count == 2)
  }

  @Test func `does not keep who is there`() async throws {
    let presence = Event.presence(Presence(eventID: "p", profileID: "jane", isPresent: true))
    let receipts = await room().send([OutgoingEvent(event: presence)])
    #expect(receipts.map { $0.error?.code } == [.invalid])
    #expect(access(folder.room(), F_OK) != 0)
  }

  @Test func `adds nothing for an id that it has sent itself`() async throws {
    let room = room()
    let first = try await sendOne(outgoing("a"), to: room)
    let again = await room.send([outgoing("b"), outgoing("b"), outgoing("a")])
    #expect(again.map(\.isDuplicate) == [false, true, true])
    #expect(try await sendOne(outgoing("a"), to: room).cursor == first.cursor)
    #expect(try lines(of: folder.room()).count == 2)
  }

  @Test(arguments: ["plain-id", "an \"odd\"\\ 이름/\u{1}"])
  func `finds an event whose acknowledgement was lost`(id: String) async throws {
    let since = try await sendOne(outgoing("a"), to: room()).cursor
    try await sendOne(outgoing(id), to: room())
    try await sendOne(outgoing("later"), to: room())
    // Another process, which knows nothing but what its outbox kept.
    let receipts = await room().send([
      outgoing("new", since: since), outgoing(id, since: since),
    ])
    #expect(receipts.map(\.isDuplicate) == [false, true])
    #expect(try lines(of: folder.room()).count == 4)
  }

  @Test func `searches the whole file when the cursor is of another one`() async throws {
    try await sendOne(outgoing("a"), to: room())
    for since in [Cursor(value: "f1.1.999.2"), Cursor(value: "from elsewhere")] {
      #expect(try await sendOne(outgoing("a", since: since), to: room()).isDuplicate)
    }
  }

  @Test func `does not take a mention of an id for the event`() async throws {
    let since = try await sendOne(outgoing("a"), to: room()).cursor
    try await sendOne(outgoing("b", "I speak of target"), to: room())
    #expect(try await !sendOne(outgoing("target", since: since), to: room()).isDuplicate)
  }

  @Test func `writes to what the path names now`() async throws {
    let room = room()
    try await sendOne(outgoing("a"), to: room)
    #expect(rename(folder.room(), folder.room("old")) == 0)
    try await sendOne(outgoing("b"), to: room)
    try line("c").append(to: folder.room("new"))
    #expect(rename(folder.room("new"), folder.room()) == 0)
    try await sendOne(outgoing("d"), to: room)
    #expect(try lines(of: folder.room("old")).count == 1)
    #expect(try lines(of: folder.room()).map(idOf) == ["c", "d"])
  }

  @Test func `loses and tears nothing when eight append at once`() async throws {
    let reader = room()
    try await reader.join(tail: 0)
    let writers = 8
    let each = 1000
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        let room = room()
        group.addTask {
          for index in stride(from: 0, to: each, by: 10) {
            let events = (index..<(index + 10)).map { outgoing("\(writer)-\($0)") }
            let receipts = await room.send(events)
            #expect(receipts.allSatisfy { $0.isDuplicate == false })
          }
        }
      }
    }
    let ids = try lines(of: folder.room()).map(idOf)
    #expect(ids.count == writers * each)
    for writer in 0..<writers {
      let own = ids.filter { $0?.hasPrefix("\(writer)-") == true }
      #expect(own == (0..<each).map { "\(writer)-\($0)" })
    }
    let told = await reader.told { $0.events.count >= writers * each }
    #expect(told.events.map(\.event.id) == ids)
    #expect(told.problems.isEmpty)
  }

  @Test func `puts what is sent at the same time into few writes`() async throws {
    let room = room()
    let all = await withTaskGroup(of: [Receipt].self) { group in
      for index in 0..<500 { group.addTask { await room.send([outgoing("m\(index)")]) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(all.allSatisfy { $0.isDuplicate == false })
    #expect(try lines(of: folder.room()).count == 500)
    #expect(await room.commitCount < 100)
  }

  @Test func `waits for a foreign lock and says so when it takes too long`() async throws {
    try line("a").append(to: folder.room())
    let holder = open(folder.room(), O_RDONLY)
    #expect(flock(holder, LOCK_EX) == 0)
    let receipts = await room(patience: .milliseconds(20)).send([outgoing("b")])
    let error = try #require(receipts.first?.error)
    #expect(error.code == .busy && error.code.exitStatus == 75)
    let patient = room()
    async let sent = patient.send([outgoing("b")])
    close(holder)
    #expect(await sent.map(\.isDuplicate) == [false])
  }

  private func idOf(_ line: String) -> String? {
    (try? EventCodec.decode(line))??.id
  }

  @Test(arguments: [true, false])
  func `knows where its lines are when another appends without the lock`(
    isKnown: Bool
  ) throws {
    let path = folder.room()
    try line("first").append(to: path)
    let end = try FileCursor(
      at: Int64(line("first").utf8.count), in: Descriptor.openFile(path, O_RDONLY))
    let appender = RoomAppender(path: path)
    let outgoingLine = try OutgoingLine(outgoing("mine"), path: path)
    let block = try appender.append([outgoingLine]) { _ in
      try? line("foreign").append(to: path)
      return (true, isKnown ? end : nil)
    }
    let start = Int64((line("first") + line("foreign")).utf8.count)
    #expect(block?.range.lowerBound == start)
    #expect(
      try block?.end
        == FileCursor(
          at: start + Int64(line("mine").utf8.count), in: Descriptor.openFile(path, O_RDONLY)))
    #expect(block?.places.map(\.cursor) == block.map { [$0.end.cursor] })
  }
}
