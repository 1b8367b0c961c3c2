import ChatModel
import TestSupport
import Testing
import Transport
import TransportSecurity

@testable import NATS

/// `banter-nats` with three real servers.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct ClusterTests {
  /// Somebody in a room.
  private func member(
    _ id: String, _ cluster: NATSCluster, in room: String = "tea", after: Cursor? = nil,
    tail: Int? = nil
  ) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-nats")
    plugin.say(
      .hello(
        Hello(
          client: "test", address: cluster.address(of: room), profile: Profile(id: id, name: id))))
    _ = try await plugin.waitForWelcome()
    try await plugin.join(room, after: after, tail: tail)
    return plugin
  }

  private func prepared(size: Int = 3) async throws -> NATSCluster {
    let cluster = try await NATSCluster(size: size)
    let made = await cluster.prepare("--replicas \(size)")
    try #require(made.status == 0, "\(made.errorText)")
    return cluster
  }

  @Test func `setting up is safe to repeat`() async throws {
    let cluster = try await prepared()
    let again = await cluster.prepare()
    #expect(again.status == 0 && again.text.contains("BANTER: was there"), "\(again)")
    #expect(again.text.contains(#""room.*""#))
  }

  @Test func `a cluster without rooms says what to do`() async throws {
    let cluster = try await NATSCluster(size: 1)
    let plugin = try PluginProcess("banter-nats")
    plugin.hello(cluster.address(of: "tea"))
    _ = try await plugin.waitForWelcome()
    plugin.say(.join(ref: "j", JoinRequest(room: "tea")))
    let error = try await plugin.wait("error") { $0.firstError("j") }
    #expect(error.errorClass == .notFound && error.message.contains("banter-nats init"), "\(error)")
  }

  @Test func `what one says the others hear, once and in order`() async throws {
    let cluster = try await prepared()
    let jane = try await member("jane", cluster)
    let minsu = try await member("minsu", cluster)
    for number in 1...50 { jane.say("jane \(number)", id: "j\(number)", in: "tea") }
    for number in 1...50 { minsu.say("minsu \(number)", id: "m\(number)", in: "tea") }
    for plugin in [jane, minsu] {
      let heard = try await plugin.wait("all") { $0.contents(count: 100) }
      #expect(heard.filter { $0.hasPrefix("jane") } == (1...50).map { "jane \($0)" })
      #expect(heard.filter { $0.hasPrefix("minsu") } == (1...50).map { "minsu \($0)" })
    }
    #expect(jane.answers.contents == minsu.answers.contents)
  }

  @Test func `the past is there page by page, both ways, among other rooms`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let other = try await member("jane", cluster, in: "coffee")
    for number in 1...60 {
      jane.say("\(number)", id: "t\(number)", in: "tea")
      for part in 1...3 { other.say("x", id: "c\(number).\(part)", in: "coffee") }
    }
    _ = try await jane.wait("all") { $0.contents(count: 60) }
    _ = try await other.wait("all") { $0.contents(count: 180) }

    let late = try await member("late", cluster, tail: 7)
    #expect(late.answers.contents == (54...60).map(String.init))
    var page = try await late.page(HistoryRequest(room: "tea", before: nil, limit: 25))
    #expect(page.events.contents == (36...60).map(String.init) && page.more)
    page = try await late.page(HistoryRequest(room: "tea", before: page.next, limit: 35))
    #expect(page.events.contents == (1...35).map(String.init) && !page.more)
    let tenth = page.events[9].cursor
    page = try await late.page(HistoryRequest(room: "tea", after: tenth, limit: 5))
    #expect(page.events.contents == (11...15).map(String.init) && page.more)

    let back = try await member("back", cluster, after: page.next, tail: 2)
    #expect(back.answers.contents == (16...60).map(String.init))
  }

  @Test func `a repeat is one message, however late it comes`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let start = try await jane.wait("live") { $0.liveCursor }
    jane.say("once", id: "1", in: "tea")
    _ = try await jane.wait("ack") { $0.acknowledgement("1") }
    // Within the stream's window, and as the host repeats what is older.
    for since in [nil, start] {
      let message = Message(id: "1", profileID: "jane", content: "once")
      jane.say(
        .send(ref: "again", SendRequest(room: "tea", event: .message(message), since: since)))
      let repeated = try await jane.wait("ack") { $0.acknowledgement("again") }
      #expect(repeated.isDuplicate)
    }
    let late = try await member("late", cluster, tail: 10)
    #expect(late.answers.contents == ["once"])
  }

  @Test func `rubbish on the subject is told, and what is right comes through`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let publish = """
      exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
      printf 'CONNECT {"verbose":false}\\r\\n' >&3
      printf 'PUB room.tea 5\\r\\n{\\n"x"\\r\\n' >&3
      printf 'PUB live.room.tea 2\\r\\n{}\\r\\nPING\\r\\n' >&3
      while read -r line <&3; do case $line in PONG*) exit 0;; esac; done
      """
    #expect(await Program.run(publish).status == 0)
    jane.say("right", id: "1", in: "tea")
    #expect(try await jane.wait("right") { $0.contents(count: 1) } == ["right"])
    let warning = try await jane.wait("warning") { answers in
      answers.compactMap { if case .log("warning", let text) = $0 { text } else { nil } }.first
    }
    #expect(warning.contains("tea: message 1 is no event"))
  }

  @Test(arguments: [UInt64.max, 1 << 40])
  func `a notice that somebody has made up hides nothing for long`(_ sequence: UInt64)
    async throws
  {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let headers = "NATS/1.0\\r\\nNats-Sequence: \(sequence)\\r\\nNats-Last-Sequence: 0\\r\\n\\r\\n"
    let publish = """
      exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
      headers=$(printf '\(headers)x'); headers=${headers%x}
      printf 'CONNECT {"verbose":false,"headers":true}\\r\\nHPUB live.room.tea %d %d\\r\\n%s{}\\r\\nPING\\r\\n' \\
        ${#headers} $((${#headers} + 2)) "$headers" >&3
      while read -r line <&3; do case $line in PONG*) exit 0;; -ERR*) exit 1;; esac; done
      """
    #expect(await Program.run(publish).status == 0)
    for number in 1...3 { jane.say("\(number)", id: "\(number)", in: "tea") }
    #expect(try await jane.wait("all") { $0.contents(count: 3) } == ["1", "2", "3"])
    jane.say(
      .history(
        ref: "h", HistoryRequest(room: "tea", after: Cursor(value: "1.\(sequence)"), limit: 5)))
    #expect(try await jane.wait("error") { $0.firstError("h") }.errorClass == .gone)
  }

  @Test func `a stream that is made anew is noticed`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster, tail: 10)
    for number in 1...5 { jane.say("old \(number)", id: "o\(number)", in: "tea") }
    _ = try await jane.wait("all") { $0.contents(count: 5) }
    let delete = """
      exec 3<>/dev/tcp/127.0.0.1/\(cluster.ports[0])
      printf 'CONNECT {"verbose":false}\\r\\nSUB x 1\\r\\nPUB $JS.API.STREAM.DELETE.BANTER x 0\\r\\n\\r\\n' >&3
      while read -r line <&3; do case $line in *success*) exit 0;; esac; done
      """
    #expect(await Program.run(delete).status == 0)
    #expect(await cluster.prepare("--replicas 1").status == 0)
    jane.say("new", id: "n", in: "tea")
    _ = try await jane.wait("reset") { answers in
      answers.first { if case .reset = $0 { true } else { false } }
    }
    #expect(try await jane.wait("new") { $0.contents(count: 6) }.last == "new")
  }

  @Test func `who is there is known, and who they are`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let minsu = try await member("minsu", cluster)
    _ = try await jane.wait("presence") { $0.presence("minsu") == true ? true : nil }
    jane.say(.members(ref: "m", room: "tea"))
    let members = try await jane.wait("members") { answers in
      answers.compactMap { if case .members("m", let items, _) = $0 { items } else { nil } }.first
    }
    #expect(members.map(\.id) == ["jane", "minsu"])
    minsu.say(.bye)
    _ = try await jane.wait("leave") { $0.presence("minsu") == false ? true : nil }
    let change = ProfileChange(eventID: "p", profileID: "jane", profileName: "Jane Doe")
    jane.say(.send(ref: "p", SendRequest(room: "tea", event: .profile(change))))
    _ = try await jane.wait("ack") { $0.acknowledgement("p") }
    let other = try await member("other", cluster)
    other.say(.profile(ref: "who", profileID: "jane"))
    let profile = try await other.wait("profile") { answers in
      answers.compactMap { if case .profile("who", let profile) = $0 { profile } else { nil } }
        .first
    }
    #expect(profile.name == "Jane Doe")
  }

  @Test func `a file goes in parts, once, and comes back from anywhere in it`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let name = try await jane.put(bytes, "photo.PNG")
    #expect(name.hasSuffix(".png") && name.utf8.count == 68)
    // What is there is not brought again.
    #expect(try await jane.put(bytes, "photo.PNG", ref: "again") == name)
    #expect(!jane.answers.contains { if case .ready("again", _) = $0 { true } else { false } })
    let minsu = try await member("minsu", cluster)
    #expect(try await minsu.get(name) == bytes)
    #expect(try await minsu.get(name, from: 123_456) == Array(bytes[123_456...]))
    minsu.say(.get(ref: "none", room: "tea", path: "no.png", offset: 0))
    #expect(try await minsu.wait("error") { $0.firstError("none") }.errorClass == .notFound)
  }

  @Test func `what breaks off in the middle of a file goes on there`() async throws {
    let cluster = try await prepared(size: 1)
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
    let first = try await member("jane", cluster)
    _ = try await first.put(bytes, "a.bin", stoppingAfter: 2)
    first.kill()
    let second = try await member("jane", cluster)
    let name = try await second.put(bytes, "a.bin")
    let offset = second.answers.lazy.compactMap { answer -> Int64? in
      if case .ready(_, let offset) = answer { offset } else { nil }
    }.first
    #expect(offset == 131_072)
    #expect(try await second.get(name) == bytes)
  }

  @Test func `what is not what was announced never becomes a file`() async throws {
    let cluster = try await prepared(size: 1)
    let jane = try await member("jane", cluster)
    let digest = String(repeating: "ab", count: 32)
    jane.say(
      .put(
        ref: "p",
        PutRequest(
          room: "tea", name: "x.png", mediaType: nil, sizeInBytes: 3, sha256: digest)))
    _ = try await jane.wait("ready") { answers in
      answers.first { if case .ready("p", _) = $0 { true } else { false } }
    }
    jane.say(.chunk(ref: "p", data: Base64.encode([1, 2, 3]), isLast: true))
    #expect(try await jane.wait("error") { $0.firstError("p") }.errorClass == .invalid)
    jane.say(.get(ref: "g", room: "tea", path: "\(digest).png", offset: 0))
    #expect(try await jane.wait("error") { $0.firstError("g") }.errorClass == .notFound)
  }

  @Test func `what is larger than the servers take is refused, to the byte`() async throws {
    let cluster = try await NATSCluster(size: 1, extra: "max_payload: 8192")
    try #require(await cluster.prepare("--replicas 1").status == 0)
    let jane = try await member("jane", cluster)
    func answer(to content: String, _ ref: String) async throws -> ProtocolError? {
      jane.say(content, id: ref, in: "tea")
      let answer = try await jane.wait("answer") { answers -> Result<Void, ProtocolError>? in
        if let error = answers.firstError(ref) { return .failure(error) }
        return answers.acknowledgement(ref).map { _ in .success(()) }
      }
      if case .failure(let error) = answer { return error }
      return nil
    }
    // Quotes take two bytes each in JSON.
    let quotes = try await answer(to: String(repeating: "\"", count: 4_096), "q")
    #expect(quotes?.errorClass == .tooLarge)
    let reason = try #require(quotes?.message.split(separator: " ").compactMap { Int($0) })
    // As many bytes over the limit are taken away.
    let fitting = String(repeating: "x", count: 8_192 - (reason[0] - reason[1]))
    #expect(try await answer(to: fitting + "x", "l")?.errorClass == .tooLarge)
    #expect(try await answer(to: fitting, "f") == nil)
  }

  // MARK: - TLS

  /// A folder with an issuer and a certificate of his for a name.
  private func certificates(for name: String) async throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let made = await Program.run(
      """
      cd \(quoted(folder.path))
      openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=issuer -days 2 -keyout ca.key -out ca.pem \\
        && openssl req -newkey rsa:2048 -nodes -subj /CN=server -keyout key.pem -out request.pem \\
        && openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
          -extfile <(echo subjectAltName=\(name)) -out cert.pem
      """)
    try #require(made.status == 0, "\(made.errorText)")
    return folder
  }

  private func secured(_ folder: TemporaryFolder) async throws -> NATSCluster {
    try await NATSCluster(
      size: 1,
      extra: """
        tls { cert_file: "\(folder.path)/cert.pem", key_file: "\(folder.path)/key.pem" }
        """)
  }

  private func caller(
    _ cluster: NATSCluster, scheme: String = "nats+tls", issuers: String?
  ) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-nats")
    plugin.hello(
      "\(scheme)://\(cluster.servers)/tea", settings: issuers.map { ["issuers": $0] } ?? [:])
    return plugin
  }

  @Test func `over TLS one talks with the server that is meant only`() async throws {
    let right = try await certificates(for: "IP:127.0.0.1")
    let cluster = try await secured(right)
    let trusting = try await caller(cluster, issuers: "\(right.path)/ca.pem")
    _ = try await trusting.wait("online") { $0.isOnline }
    // Nobody vouches for it; it is another's; it is not wanted at all.
    let unknown = try await caller(cluster, issuers: nil)
    #expect(try await unknown.wait("end") { $0.fatalReason } != "")
    let plain = try await caller(cluster, scheme: "nats", issuers: nil)
    let reason = try await plain.wait("end") { $0.fatalReason }
    #expect(reason.contains("issuer") && !reason.contains(".c:"), "\(reason)")
    let wrong = try await certificates(for: "DNS:other.example")
    let other = try await secured(wrong)
    let fooled = try await caller(other, issuers: "\(wrong.path)/ca.pem")
    #expect(try await fooled.wait("end") { $0.fatalReason } != "")
    #expect(fooled.answers.isOnline == nil)
  }

  // MARK: - Rights

  /// Accounts: one for everything, one for the room tea, one that may only
  /// read there.
  private static let accounts = """
    authorization { users: [
      { user: root, password: secret }
      { user: jane, password: secret, \(ClusterSetup.rights(forRoom: "tea")) }
      { user: reader, password: secret, permissions {
        publish { allow: ["here.room.tea", "$JS.API.STREAM.INFO.BANTER",
          "$JS.API.DIRECT.GET.BANTER.room.tea", "$JS.API.CONSUMER.CREATE.BANTER.*.room.tea",
          "$JS.API.CONSUMER.MSG.NEXT.BANTER.*"] }
        subscribe { allow: ["live.room.tea", "here.room.tea", "_INBOX.>"] } } }
    ] }
    """

  private func login(
    _ user: String, _ cluster: NATSCluster, in room: String, password: String = "secret"
  ) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-nats")
    plugin.say(
      .hello(
        Hello(
          client: "test", address: cluster.address(of: room, user: user),
          profile: Profile(id: "whoever", name: ""))))
    let need = try await plugin.wait("need") { answers in
      answers.compactMap { if case .need(let ref, "password", true, _) = $0 { ref } else { nil } }
        .first
    }
    plugin.say(.given(ref: need, value: password))
    plugin.say(.join(ref: "join", JoinRequest(room: room, tail: 10)))
    return plugin
  }

  private func guarded() async throws -> NATSCluster {
    let cluster = try await NATSCluster(size: 1, extra: Self.accounts)
    let made = await cluster.prepare("--replicas 1", user: "root", password: "secret")
    try #require(made.status == 0, "\(made.errorText)")
    return cluster
  }

  @Test func `the rights that are printed are enough, and no more`() async throws {
    let cluster = try await guarded()
    let jane = try await login("jane", cluster, in: "tea")
    _ = try await jane.wait("live") { $0.liveCursor }
    jane.say("hello", id: "1", in: "tea")
    #expect(try await jane.wait("told") { $0.contents(count: 1) } == ["hello"])
    _ = try await jane.put([1, 2, 3], "a.bin")
    let other = try await login("jane", cluster, in: "coffee")
    let error = try await other.wait("error") { $0.firstError("join") }
    #expect(error.errorClass == .denied, "\(error)")
  }

  @Test func `who may only read is told so when he says something`() async throws {
    let cluster = try await guarded()
    let reader = try await login("reader", cluster, in: "tea")
    _ = try await reader.wait("live") { $0.liveCursor }
    reader.say("hello", id: "1", in: "tea")
    let error = try await reader.wait("error") { $0.firstError("1") }
    #expect(error.errorClass == .denied && error.isCertain, "\(error)")
  }

  @Test func `a wrong password ends it with a reason`() async throws {
    let cluster = try await guarded()
    let plugin = try await login("jane", cluster, in: "tea", password: "wrong")
    let state = try await plugin.wait("state") { answers in
      answers.compactMap { answer -> TransportError? in
        if case .state(.fatal(let reason)) = answer { reason } else { nil }
      }.first
    }
    #expect(state.reason.lowercased().contains("auth"), "\(state)")
  }
}
