import Testing

@testable import TransportSecurity

@Suite struct ScramClientTests {
  private func client(
    _ user: String = Vector.user, offered: [String] = ["SCRAM-SHA-256"], binding: [UInt8]? = nil
  ) throws -> ScramClient {
    try ScramClient(
      user: user, password: Vector.password, offered: offered, binding: binding,
      nonce: Vector.clientNonce)
  }

  @Test func `says what RFC 7677 says`() throws {
    var client = try client()
    #expect(client.firstMessage.text == Vector.clientFirst)
    #expect(try client.reply(to: Vector.serverFirst.bytes).text == Vector.clientFinal)
    try client.verify(Vector.serverFinal.bytes)
  }

  @Test(arguments: [
    (["SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"], [1, 2] as [UInt8]?, "p=tls-exporter,,n=user"),
    (["SCRAM-SHA-256"], [1, 2], "y,,n=user"),
    (["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"], nil, "n,,n=user"),
    (["PLAIN", "SCRAM-SHA-256"], nil, "n,,n=user"),
  ])
  func `tells whether it binds the login to the connection`(
    offered: [String], binding: [UInt8]?, beginning: String
  ) throws {
    let client = try client(offered: offered, binding: binding)
    #expect(client.firstMessage.text.hasPrefix(beginning + ",r="))
    #expect((client.mechanism == .scramSHA256Plus) == beginning.hasPrefix("p"))
  }

  @Test(arguments: [[], ["PLAIN"], ["SCRAM-SHA-1"], ["SCRAM-SHA-256-PLUS"], ["scram-sha-256"]])
  func `refuses to log in by a way that is weaker, or that it cannot`(offered: [String]) {
    let error = #expect(throws: ScramError.self) { try client(offered: offered) }
    #expect(error?.code == .noMechanism)
  }

  @Test func `escapes commas and equals signs in names`() throws {
    #expect(try client("a,b=c").firstMessage.text.hasPrefix("n,,n=a=2Cb=3Dc,r="))
    #expect(try client("\u{ff0c}\u{301}").firstMessage.text.hasPrefix("n,,n==2C\u{301},r="))
  }

  @Test(arguments: ["", "\u{ad}", "a\nb", "a\u{202e}b"])
  func `refuses a name that no login can have`(name: String) {
    let error = #expect(throws: ScramError.self) { try client(name) }
    #expect(error?.code == .invalidName)
  }

  @Test func `has a new nonce each time`() throws {
    let messages = try (0..<20).map { _ in
      try ScramClient(user: "a", password: "b", offered: ["SCRAM-SHA-256"], binding: nil)
        .firstMessage
    }
    #expect(Set(messages).count == 20)
  }

  static let salt = "s=W22ZaJ0SNY7soEsUEjb6gQ=="

  @Test(arguments: [
    ("r=other\(salt),i=4096", .wrongNonce as ScramError.Code?),
    ("r=rOprNGfwEbeRWgbNEkqO,\(salt),i=4096", .wrongNonce),
    ("r=ROprNGfwEbeRWgbNEkqOabc,\(salt),i=4096", .wrongNonce),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4095", .badIterations),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=10000001", .badIterations),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4294967296", .badIterations),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=-4096", .badIterations),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=1e5", .badIterations),
    ("m=x,r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4096", .extensionDemanded),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4096,m=x", .extensionDemanded),
    ("r=rOprNGfwEbeRWgbNEkqOabc,s=,i=4096", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqOabc,s=!!!!,i=4096", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqOabc,i=4096,\(salt)", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt)", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqO\u{301},\(salt),i=4096", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4096,", .malformed),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4096,r=again", .malformed),
    ("", .malformed), (",,,", .malformed), ("e=other-error", ScramError.Code(name: "other-error")),
    ("r=rOprNGfwEbeRWgbNEkqOabc,\(salt),i=4096,x=later", nil),
  ])
  func `answers only a challenge of this login`(challenge: String, code: ScramError.Code?) throws {
    var client = try client()
    guard let code else {
      _ = try client.reply(to: challenge.bytes)
      return
    }
    let error = #expect(throws: ScramError.self) { try client.reply(to: challenge.bytes) }
    #expect(error?.code == code)
    let again = #expect(throws: ScramError.self) { try client.reply(to: Vector.serverFirst.bytes) }
    #expect(again?.code == .outOfOrder)
  }

  @Test(arguments: [
    ("v=" + Vector.serverFinal.dropFirst(2).replacing("6rri", with: "7rri"), .wrongServer),
    ("v=AAAA", .wrongServer), ("v=", .malformed), ("v=!", .malformed), ("", .malformed),
    ("e=invalid-proof", .wrongCredentials), ("e=unknown-user", .wrongCredentials),
    (Vector.serverFinal + ",m=x", .extensionDemanded),
    ("e=\u{1b}[2Jno", ScramError.Code(name: "\u{1b}[2Jno")),
  ])
  func `believes no server but the one that knows the password`(
    final: String, code: ScramError.Code
  ) throws {
    var client = try client()
    _ = try client.reply(to: Vector.serverFirst.bytes)
    let error = #expect(throws: ScramError.self) { try client.verify(final.bytes) }
    #expect(error?.code == code)
    #expect(error?.description.contains("\u{1b}") == false)
    let again = #expect(throws: ScramError.self) { try client.verify(Vector.serverFinal.bytes) }
    #expect(again?.code == .outOfOrder)
  }

  @Test func `believes no server before it has answered`() throws {
    var client = try client()
    let error = #expect(throws: ScramError.self) { try client.verify(Vector.serverFinal.bytes) }
    #expect(error?.code == .outOfOrder)
  }
}
