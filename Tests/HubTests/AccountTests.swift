import ChatModel
import Glibc
import Testing
import Transport
import TransportSecurity

/// What those may do who come in by name and password.
@Suite(.timeLimit(.minutes(5))) struct AccountTests {
  private static let password = "correct horse"

  private static func account(
    _ name: String, rooms: Set<String>? = nil, isReadOnly: Bool = false
  ) throws -> Account {
    Account(
      name: name, verifier: try ScramVerifier(password: password), rooms: rooms,
      isReadOnly: isReadOnly)
  }

  private func hosting(
    _ accounts: [Account], _ change: (inout HubConfiguration) -> Void = { _ in }
  ) async throws -> Hosting {
    try await Hosting(access: .accounts) { configuration in
      configuration.accounts = Dictionary(uniqueKeysWithValues: accounts.map { ($0.name, $0) })
      change(&configuration)
    }
  }

  /// Says hello and the first word of a login.
  private func beginLogin(_ caller: Caller, _ user: String) async throws -> ScramClient {
    try await caller.say(.hello(Hello(client: "test", profile: nil)))
    let offered = try await caller.first { answer in
      if case .auth(let mechanisms, nil) = answer { mechanisms } else { nil }
    }
    let client = try ScramClient(
      user: user, password: Self.password, offered: offered, binding: nil)
    try await caller.say(
      .auth(mechanism: client.mechanism.rawValue, data: Base64.encode(client.firstMessage)))
    return client
  }

  /// The answer to the challenge that comes.
  private func reply(_ caller: Caller, _ client: ScramClient) async throws -> Request {
    var client = client
    let challenge = try await caller.first { answer in
      if case .auth(_, let data?) = answer { Base64.decode(data) } else { nil }
    }
    return .auth(mechanism: nil, data: Base64.encode(try client.reply(to: challenge)))
  }

  private func guest(_ user: String, of hosting: Hosting) async throws -> Caller {
    let caller = try hosting.caller()
    let client = try await beginLogin(caller, user)
    try await caller.say(try await reply(caller, client))
    _ = try await caller.first { if case .welcome(let it) = $0 { it } else { nil } }
    return caller
  }

  @Test func `one who may only read brings neither words nor files`() async throws {
    let hosting = try await hosting([try Self.account("reader", isReadOnly: true)])
    let reader = try await guest("reader", of: hosting)
    try await reader.join()
    try await reader.send("hello")
    #expect(try await reader.errorClass() == .denied)
    let put = PutRequest(
      room: "lobby", name: "a.txt", mediaType: nil, sizeInBytes: 1,
      sha256: String(repeating: "0", count: 64))
    try await reader.say(.put(ref: "p", put))
    #expect(try await reader.errorClass() == .denied)
    #expect(hosting.lines().isEmpty)
  }

  @Test func `an account that is removed during a login lets nobody in`() async throws {
    let account = try Self.account("jane", rooms: ["lobby"])
    let hosting = try await hosting([account])
    let caller = try hosting.caller()
    let client = try await beginLogin(caller, "jane")
    let last = try await reply(caller, client)
    await hosting.hub.reload(accounts: [:], security: nil)
    try? await caller.say(last)
    #expect(try await caller.errorClass() == .retry)
    #expect(try await caller.rest().isEmpty)
  }

  @Test func `a room that is taken from an account is heard no more, and that is told`()
    async throws
  {
    let hosting = try await hosting([try Self.account("jane")])
    let jane = try await guest("jane", of: hosting)
    try await jane.join()
    let limited = try Self.account("jane", rooms: ["other"])
    await hosting.hub.reload(accounts: ["jane": limited], security: nil)
    #expect(try await jane.errorClass() == .denied)
    hosting.say("secret")
    #expect(try await jane.rest().isEmpty)
    let again = try await guest("jane", of: hosting)
    await #expect(throws: ProtocolError.self) { try await again.join() }
    try await again.say(.rooms(ref: "r"))
    let rooms = try await again.first {
      if case .rooms("r", let items, _) = $0 { items } else { nil }
    }
    #expect(rooms.isEmpty)
  }

  @Test func `of many logins at once no more are tried than of as many one after another`()
    async throws
  {
    let hosting = try await hosting([try Self.account("jane")]) {
      $0.limits.loginsPerAddress = 4
    }
    var callers: [Caller] = []
    var refusedCount = 0
    for _ in 0..<6 {
      let caller = try hosting.caller()
      _ = try await beginLogin(caller, "jane")
      let isRefused = try await caller.first { answer -> Bool? in
        switch answer {
        case .auth(_, _?): false
        case .error(_, let error): error.errorClass == .retry
        default: nil
        }
      }
      refusedCount += isRefused ? 1 : 0
      callers.append(caller)
    }
    #expect(refusedCount == 2)
  }

  @Test func `logins that succeed are not counted`() async throws {
    let hosting = try await hosting([try Self.account("jane")]) {
      $0.limits.loginsPerAddress = 2
    }
    for _ in 0..<6 { _ = try await guest("jane", of: hosting) }
  }

  @Test func `the file keeps the secret, and lines that nobody understands`() throws {
    let folder = TemporaryFolder()
    let file = AccountFile(path: "\(folder.path)/accounts")
    try file.add(try Self.account("jane", rooms: ["a", "b"]))
    let secret = try #require(try file.read().secret)
    let written = String(decoding: folder.read("accounts") ?? [], as: UTF8.self)
    folder.write("accounts", written.replacing("\n", with: "\r\n") + "# of the owner\r\n")
    chmod(file.path, 0o600)
    try file.add(try Self.account("minsu", isReadOnly: true))
    let contents = try file.read()
    #expect(Set(contents.accounts.keys) == ["jane", "minsu"])
    #expect(contents.accounts["jane"]?.rooms == ["a", "b"])
    #expect(contents.secret == secret)
    #expect(contents.unreadableLines == ["# of the owner"])
    #expect(try file.remove("jane"))
    #expect(try file.read().unreadableLines == ["# of the owner"])
  }
}
