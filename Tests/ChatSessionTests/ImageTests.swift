import ChatModel
import Glibc
import ImageAssets
import TerminalText
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// What is fetched, when, and what is said of it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ImageTests {
  private let folder = TemporaryFolder()

  /// The beginning of a PNG of 2 × 3 pixels (W3C, 5.2 and 11.2.2), which is
  /// all that is read where no picture is shown.
  private nonisolated static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 2, 0, 0, 0, 3, 8, 2, 0, 0, 0, 0, 0, 0, 0]

  private func write(_ names: String...) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, folder.write($0, Self.png)) })
  }

  /// A session in a room elsewhere, which has those files.
  private func run(
    _ events: [Event], _ files: HeldFiles, _ configure: (inout Session.Parts) -> Void = { _ in },
    body: (Chat) async throws -> Void
  ) async throws {
    let room = try RoomAddress("tls://example.org/team")
    try await Chat.run(in: events) { parts in
      parts.room = room
      parts.transport = RoomWithFiles(parts.transport, files)
      parts.settings.prefetch = .off
      configure(&parts)
    } body: { chat in
      await chat.prompt.wait(for: "look")
      try await body(chat)
    }
  }

  private nonisolated static func said(_ files: FileReference...) -> Event {
    var message = Message(
      id: "m", profileID: "jane", content: "look", images: files.map(\.path), files: files)
    message.createdAt = Timestamp(milliseconds: 1_795_999_000_000)
    return .message(message)
  }

  @Test func `images are fetched together, and told of in their order`() async throws {
    let files = HeldFiles(write("a.png", "b.png", "c.png"), isHolding: true)
    let images = ["a.png", "none.png", "b.png", "c.png"]
    try await run([.said("look", images: images)], files) { chat in
      chat.prompt.enter("/images")
      await files.waitUntilAsked(4)
      #expect(chat.prompt.count("image 1 of 4") == 0)
      await files.release()
      await chat.prompt.wait(for: "image 4 of 4: c.png, 2×3")
      let rows = chat.prompt.rows.filter { $0.contains(" of 4: ") }
      #expect(rows.count == 4 && zip(rows, images).allSatisfy { $0.contains($1) })
    }
  }

  @Test(arguments: ["/images", "/images all", "/save 1 /tmp"])
  func `the prompt says what is waited for, by its name and with its size`(line: String)
    async throws
  {
    let files = HeldFiles(isHolding: true)
    let event = Self.said(FileReference(path: "0f.png", name: "cat.png", sizeInBytes: 83_000))
    try await run([event], files) {
      $0.patience = .zero
    } body: { chat in
      chat.prompt.enter(line)
      await chat.prompt.wait { chat.prompt.prompt.contains("fetching cat.png (83.0 KB)") }
      await files.release()
      await chat.prompt.wait { !chat.prompt.prompt.contains("fetching") }
    }
  }

  @Test(arguments: [
    ("data:image/png;base64,AA", "image 1 has no address"),
    ("DATA:image/png;base64,AA", "image 1 has no address"),
    ("https://x.example/a\u{1b}[2J", "image 1 has invisible characters"),
    ("https://x.example/a\nrm -rf ~", "image 1 has invisible characters"),
    ("https://x.example/\u{202e}gnp", "image 1 has invisible characters"),
  ])
  func `what would do something where it is pasted is not copied`(image: String, reason: String)
    async throws
  {
    try await run([.said("look", images: [image])], HeldFiles()) { chat in
      chat.prompt.enter("/images copy")
      #expect(chat.prompt.count(reason) == 1, "\(chat.prompt.rows)")
      #expect(chat.prompt.line == "/images copy")
    }
  }

  @Test func `what the room keeps is copied as where a user finds it`() async throws {
    let room = RoomFiles(room: "\(folder.path)/room.jsonl")
    let stored = try await room.store(folder.write("cat.png", Self.png))
    let inRoom = "\(folder.path)/room.files/\(stored.path)"
    let mapped = "https://x.example/\(stored.path)"
    for (files, rules, copied) in [
      (room, [], "copied: \(inRoom)"), (room, [("", "https://x.example/")], "copied: \(mapped)"),
      (HeldFiles(), [("", "https://x.example/")], "copied: \(mapped)"),
      (HeldFiles(), [], "image 1 is kept in the room and has no address; save it instead"),
    ] as [(any RoomFileStore, [(prefix: String, address: String)], String)] {
      try await Chat.run(in: [Self.said(stored)]) { parts in
        parts.transport = RoomWithFiles(parts.transport, files)
        parts.settings.imageMap = rules
        parts.settings.prefetch = .off
        parts.transcript.columns = 1_000
      } body: { chat in
        await chat.prompt.wait(for: "look")
        chat.prompt.showsPictures = true
        chat.prompt.enter("/images copy")
        await chat.prompt.wait { chat.prompt.rows.joined().contains(copied) }
      }
    }
  }

  @Test func `an image has one name, whatever others have called it`() async throws {
    let name = "a\nb\u{1b}[2J" + String(repeating: "x", count: 300)
    let long = "https://x.example/" + String(repeating: "y", count: 4_000)
    let event = Self.said(
      FileReference(path: "0.png", name: name), FileReference(path: "1.png", name: "b.png"))
    var message = Message(id: "w", profileID: "jane", content: "web", images: [long, "c.png"])
    message.createdAt = Timestamp(milliseconds: 1_795_999_001_000)
    let profile = ProfileChange(
      eventID: "p", profileID: "jane", profileName: "Jane", profileImage: long + "\nz",
      createdAt: message.createdAt)
    try await run([event, .message(message), .profile(profile)], HeldFiles(write("c.png"))) {
      $0.environment = ["PATH": folder.path]
    } body: { chat in
      await chat.prompt.wait(for: "web")
      for (line, first, next) in [
        ("/images 1", "-- image 1 of 2: a", "-- image 2 of 2: b.png"),
        ("/images 2", "-- https://x.example/y", "-- image 2 of 2: c.png, 2×3, image/png, 33 B"),
        ("/profile jane", "-- picture: https://x.example/y", "-- first seen here"),
      ] {
        chat.prompt.enter(line)
        await chat.prompt.wait(for: next)
        let row = try #require(chat.prompt.rows.firstIndex { $0.hasPrefix(first) })
        #expect(chat.prompt.rows[row].count < 80 && chat.prompt.rows[row].contains("…"))
        // Why there is none is told whole.
        var following = row + 1
        while chat.prompt.rows[following].hasPrefix("  ") { following += 1 }
        #expect(chat.prompt.rows[following].hasPrefix(next), "\(chat.prompt.rows)")
      }
      // It is named once, although the message has it not among its files.
      #expect(chat.prompt.rows.contains("-- image 2 of 2: c.png, 2×3, image/png, 33 B"))
    }
  }

  @Test(arguments: [
    ("cat.png", nil), ("CAT.PNG", nil), ("cat.desktop", "cat.desktop.png"), ("0f", "0f.png"),
  ])
  func `what opens an image is decided by its contents`(name: String, copy: String?) async throws {
    let source = folder.write(name, Self.png)
    let cache = "\(folder.path)/cache/banter"
    try await run([.said("look", images: [name])], HeldFiles([name: source])) {
      $0.folders.cache = cache
      $0.environment = ["PATH": "/usr/bin:/bin"]
      $0.settings.imageViewer = ["sh", "-c", "echo \"$1\" >'\(folder.path)/opened'; exit 3", "-"]
    } body: { chat in
      chat.prompt.enter("/images open")
      await chat.prompt.wait(for: "sh ended with status 3")
      let opened = copy.map { "\(cache)/opened/\($0)" } ?? source
      #expect(folder.read("opened") == Array("\(opened)\n".utf8))
      #expect(contents(of: opened) == Self.png)
    }
  }

  /// The same with pictures that are shown small as they come.
  private func runThumbnails(
    _ files: HeldFiles, _ configure: (inout Session.Parts) -> Void = { _ in },
    body: (Chat) async throws -> Void
  ) async throws {
    try await run([.said("look")], files) { parts in
      parts.settings.inlineImages = .thumbnails
      parts.settings.graphics = .blocks
      parts.settings.prefetch = .room
      configure(&parts)
    } body: { chat in
      chat.prompt.showsPictures = true
      try await body(chat)
    }
  }

  private func arrives(_ text: String, _ images: [String], in chat: Chat) async {
    await chat.room.append(.said(text, images: images))
    await chat.prompt.wait(for: "Jane: \(text)")
  }

  @Test func `an image that comes and cannot be shown has one line that says why`() async throws {
    try await runThumbnails(HeldFiles(write("cat.png"))) {
      $0.environment = ["PATH": folder.path]
    } body: { chat in
      await arrives("first", ["none.png"], in: chat)
      await chat.prompt.wait(for: "2 none.png: the file of this image is not there")
      await arrives("second", ["cat.png"], in: chat)
      await chat.prompt.wait(for: "3 cat.png: install ")
      await arrives("third", ["cat.png", "none.png"], in: chat)
      await chat.prompt.wait(for: "4 none.png: ")
      #expect(chat.prompt.count("install ") == 1)
    }
  }

  @Test func `an image is not shown when its message was deleted, or its author ignored`()
    async throws
  {
    let files = HeldFiles(isHolding: true)
    try await runThumbnails(files) { chat in
      await arrives("first", ["a.png"], in: chat)
      await chat.room.append(
        .said("other", from: "j2", name: "J2", id: "o", images: ["b.png"]))
      await files.waitUntilAsked(2)
      await chat.room.append(
        .deletion(Deletion(eventID: "d", messageID: "id of first", profileID: "jane")))
      await chat.prompt.wait {
        chat.session.current.timeline.entry("id of first")?.isDeleted == true
      }
      chat.session.settings.ignored.insert("j2")
      await files.release()
      await arrives("last", ["c.png"], in: chat)
      await chat.prompt.wait(for: " c.png: the file")
      #expect(chat.prompt.count("a.png: ") == 0 && chat.prompt.count("b.png: ") == 0)
    }
  }

  @Test(arguments: [Settings.InlineImages.ask, .thumbnails], Unwanting.allCases)
  func `what is fetched ahead ends when nobody wants it any more`(
    inline: Settings.InlineImages, unwanting: Unwanting
  ) async throws {
    let files = HeldFiles(isHolding: true)
    try await runThumbnails(files) {
      $0.settings.inlineImages = inline
    } body: { chat in
      await arrives("kept", ["kept.png"], in: chat)
      await files.waitUntilAsked(1)
      await chat.room.append(
        .said("other", from: "j2", name: "J2", id: "o", images: ["a", "b", "c", "d"]))
      // Four at once; of what is not shown by itself, three.
      let running = inline == .thumbnails ? ["a", "b", "c"] : ["a", "b"]
      await files.waitUntilAsked(1 + running.count)
      switch unwanting {
      case .deletion:
        await chat.room.append(
          .deletion(Deletion(eventID: "d", messageID: "o", profileID: "j2")))
      case .ignoring: chat.prompt.enter("/ignore j2")
      case .prefetch: chat.prompt.enter("/set images.prefetch off")
      case .inline: chat.prompt.enter("/set images.inline off")
      }
      let all = unwanting == .prefetch || unwanting == .inline
      let expected = running + (all ? ["kept.png"] : [])
      await files.waitUntilCancelled(expected.count)
      #expect(await files.cancelled.sorted() == expected)
      // What waited for its turn is fetched no more.
      #expect(await !files.asked.contains("d"))
    }
  }

  /// What makes images unwanted.
  enum Unwanting: CaseIterable { case deletion, ignoring, prefetch, inline }

  @Test(arguments: [Settings.Prefetch.off, .room, .all])
  func `nothing is fetched before anybody looks unless the settings say so`(
    prefetch: Settings.Prefetch
  ) async throws {
    let files = HeldFiles()
    try await runThumbnails(files) {
      $0.settings.prefetch = prefetch
    } body: { chat in
      await arrives("first", ["https://x.example/w.png", "s.png"], in: chat)
      await arrives("last", ["data:,"], in: chat)
      await chat.prompt.wait(for: "3 image: ")
      if prefetch != .off { await files.waitUntilAsked(1) }
      if prefetch == .all { await chat.prompt.wait(for: "2 w.png: ") }
      #expect(await files.asked == (prefetch == .off ? [] : ["s.png"]))
      #expect(chat.prompt.count("w.png: ") == (prefetch == .all ? 1 : 0))
    }
  }

  @Test func `what is said to be too large is not fetched`() async throws {
    let limit: Int64 = 20_000_000
    let event = Self.said(
      FileReference(path: "0.png", sizeInBytes: limit + 1),
      FileReference(path: "1.png", sizeInBytes: limit))
    let files = HeldFiles()
    try await run([event], files) {
      $0.settings.prefetch = .all
    } body: { chat in
      await files.waitUntilAsked(1)
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "image 2 of 2: 1.png, the file of this image is not there")
      #expect(chat.prompt.count("image 1 of 2: 0.png, it is larger than 20.0 MB") == 1)
      #expect(await !files.asked.contains("0.png"))
    }
  }

  @Test(arguments: [false, true])
  func `all images are shown by pages, the newest first, and row by row`(hasPictures: Bool)
    async throws
  {
    let files = HeldFiles(write("last.png"), isHolding: true)
    let messages = (0..<120).map {
      Event.said("no. \($0)", images: [$0 < 119 ? "\($0).png" : "last.png"], at: Int64($0))
    }
    try await run([.said("look", at: -1)] + messages, files) {
      $0.settings.tail = 200
      $0.transcript.columns = 1_000
    } body: { chat in
      await chat.prompt.wait(for: "no. 119")
      @MainActor func label(_ number: Int) -> String {
        "\(chat.number(of: "id of no. \(number)")).1 \(number < 119 ? "\(number)" : "last").png"
      }
      chat.prompt.showsPictures = hasPictures
      chat.prompt.enter("/images all")
      // The first row is shown while others are still fetched.
      await files.waitUntilAsked(4)
      await files.release(first: 4)
      await chat.prompt.wait(for: label(70))
      #expect(chat.prompt.count(label(119)) == 0)
      await files.release()
      await chat.prompt.wait(for: label(119))
      #expect(chat.prompt.count(label(69)) == 0)
      await chat.prompt.wait(
        for: "the newest 50 of 120 images that are loaded; /images all 2 shows")
      let place = chat.prompt.rows.lastIndex { $0.contains(label(119)) } ?? .max
      #expect(chat.prompt.rows[place...].contains { $0.contains("the newest 50 of 120") })
      chat.prompt.enter("/images all 3")
      await chat.prompt.wait(for: "page 3 of 3")
      await chat.prompt.wait(for: label(19))
      #expect(chat.prompt.count(label(0)) == 1 && chat.prompt.count(label(20)) == 0)
      for (words, reason) in [("4", "there is no page 4; there are 3"), ("0", "no page 0")] {
        chat.prompt.enter("/images all \(words)")
        await chat.prompt.wait(for: reason)
      }
      chat.prompt.enter("/images all x")
      await chat.prompt.wait(for: "not x: /images")
    }
  }

  @Test(.enabled(if: access("/usr/bin/chafa", X_OK) == 0))
  func `a picture is made in the sandbox, and one that is there needs none`() async throws {
    let bin = "\(folder.path)/bin"
    mkdir(bin, 0o700)
    folder.write(
      "bin/bwrap",
      "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done; shift\n"
        + "case \"$*\" in *chafa*) mkdir \"$0.used\" ;; esac\nexec \"$@\"\n", mode: 0o700)
    let events = [Event.said("one", images: ["data:image/png;base64,\(Self.dot)"])]
    try await run([.said("look")] + events, HeldFiles()) {
      $0.environment = ["PATH": "\(bin):/usr/bin:/bin"]
      $0.folders = Folders(environment: [:], home: folder.path)
      $0.settings.graphics = .blocks
    } body: { chat in
      chat.prompt.showsPictures = true
      await chat.prompt.wait(for: "one")
      @MainActor func look(count: Int) async {
        chat.prompt.enter("/images")
        await chat.prompt.wait { chat.prompt.count("image 1 of 1") == count }
        // The picture is the row behind it.
        await chat.prompt.wait { chat.prompt.rows.last.map { !$0.hasPrefix("-- ") } ?? false }
      }
      await look(count: 1)
      #expect(access("\(bin)/bwrap.used", F_OK) == 0)
      folder.write("bin/bwrap", "#!/bin/sh\nkill -9 $$\n", mode: 0o700)
      await look(count: 2)
    }
  }

  /// A PNG of one pixel, in base64.
  private static let dot =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

  @Test func `what is given up at the end is not told of`() async throws {
    let files = HeldFiles(isHolding: true)
    try await run([.said("look", images: ["a.png"])], files) { chat in
      chat.prompt.enter("/images")
      await files.waitUntilAsked(1)
      chat.session.end(0)
      await chat.prompt.wait { !chat.prompt.isRunning }
      await files.release()
      #expect(chat.prompt.count("image 1 of 1") == 0)
    }
  }
}
