import Testing

@testable import TransportSecurity

@Suite struct ScramServerTests {
  /// The server of RFC 7677, which has answered the first message.
  private func challenged(
    _ mechanism: ScramMechanism = .scramSHA256, binding: [UInt8]? = nil,
    first: String = Vector.clientFirst
  ) throws -> ScramServer {
    let verifier = try Vector.verifier()
    var server = ScramServer(
      mechanism: mechanism, binding: binding, secret: [1], pretendedIterations: 4096,
      nonce: Vector.serverNonce
    ) { $0 == Vector.user ? verifier : nil }
    let challenge = try #require(server.receive(first.bytes).challenge)
    #expect(challenge.text.hasPrefix(Vector.serverFirst.prefix(30)))
    return server
  }

  @Test func `says what RFC 7677 says`() throws {
    var server = try challenged()
    let step = server.receive(Vector.clientFinal.bytes)
    #expect(step.user == Vector.user)
    #expect(step.finalMessage?.text == Vector.serverFinal)
  }

  @Test(arguments: [
    ("n,,n=user,r=abc", nil as ScramError.Code?), ("y,,n=user,r=abc", nil),
    ("n,a=user,n=user,r=abc", nil), ("n,,n=user,r=abc,x=later", nil),
    ("n,,m=x,n=user,r=abc", .extensionDemanded), ("n,,n=user,r=abc,m=x", .extensionDemanded),
    ("n,a=other,n=user,r=abc", .otherIdentity), ("n,user,n=user,r=abc", .malformed),
    ("n,,n=a=2c,r=abc", .invalidName), ("n,,n=a=,r=abc", .invalidName),
    ("n,,n=a=3,r=abc", .invalidName), ("n,,n==41,r=abc", .invalidName),
    ("n,,n=a\u{7}b,r=abc", .invalidName), ("n,,n=\u{ad},r=abc", .invalidName),
    ("n,,n=,r=abc", .malformed), ("n,,n=user,r=", .malformed), ("n,,n=user", .malformed),
    ("n,,r=abc,n=user", .malformed), ("n,,n=user,r=a b", .malformed),
    ("n,,n=user,r=a\u{e9}", .malformed), ("n,,n=user,r=abc,", .malformed),
    ("n,,n=user,r=abc,=x", .malformed), ("n,,n=user,r=abc,p=x", .malformed),
    ("", .malformed), ("n", .malformed), (",,n=user,r=abc", .malformed),
    ("x,,n=user,r=abc", .malformed), ("n,,n=u\0,r=abc", .malformed),
    ("p=tls-exporter,,n=user,r=abc", .noBinding), ("p=tls-unique,,n=user,r=abc", .noBinding),
    ("n,,n=user,r=\(String(repeating: "r", count: 5000))", .malformed),
    ("n,,n=user,r=\(String(repeating: "r", count: 600))", .malformed),
  ])
  func `answers only a first message that is right`(
    message: String, code: ScramError.Code?
  ) throws {
    var server = try Accounts.vector().server()
    let step = server.receive(message.bytes)
    #expect(step.refusal == code)
    #expect((step.challenge != nil) == (code == nil))
  }

  @Test(arguments: [
    ("p=tls-exporter,,n=user,r=abc", nil as ScramError.Code?),
    ("p=tls-unique,,n=user,r=abc", .unknownBinding),
    ("n,,n=user,r=abc", .noBinding), ("y,,n=user,r=abc", .noBinding),
  ])
  func `demands its own kind of binding for the mechanism that has it`(
    message: String, code: ScramError.Code?
  ) throws {
    var server = try Accounts.vector(binding: [1, 2, 3]).server(.scramSHA256Plus)
    #expect(server.receive(message.bytes).refusal == code)
    var unbound = try Accounts.vector().server(.scramSHA256Plus)
    #expect(unbound.receive(message.bytes).challenge == nil)
  }

  @Test func `notices that somebody has hidden the binding`() throws {
    var server = try Accounts.vector(binding: [1, 2, 3]).server()
    #expect(server.receive("y,,n=user,r=abc".bytes).refusal == .downgraded)
    var other = try Accounts.vector(binding: [1, 2, 3]).server()
    #expect(other.receive("n,,n=user,r=abc".bytes).challenge != nil)
  }

  @Test(arguments: [
    (Vector.clientFinal.replacing("p=dH", with: "p=eH"), .wrongCredentials as ScramError.Code),
    (Vector.clientFinal.replacing("k0,p", with: "k1,p"), .wrongNonce),
    (Vector.clientFinal.replacing("hNlF$k0", with: ""), .wrongNonce),
    (Vector.clientFinal.replacing("c=biws", with: "c=eSws"), .wrongBinding),
    (Vector.clientFinal.replacing("c=biws", with: "c=biwsAAAA"), .wrongBinding),
    (Vector.clientFinal.replacing("c=biws", with: "c=biz="), .malformed),
    (Vector.clientFinal.replacing("c=biws,", with: ""), .malformed),
    (Vector.clientFinal.replacing(",p=", with: ",m=x,p="), .extensionDemanded),
    (Vector.clientFinal.replacing(",p=", with: ",c=biws,p="), .malformed),
    (Vector.clientFinal.replacing(",p=", with: ",x=new,p="), .wrongCredentials),
    (Vector.clientFinal.replacing("dVQ=", with: ""), .malformed),
    (Vector.clientFinal + ",x=y", .malformed), (Vector.clientFinal + ",", .malformed),
    (Vector.clientFirst, .malformed), ("", .malformed), ("c=biws,r=x,p=", .malformed),
  ])
  func `lets nobody in whose last message is not right`(
    message: String, code: ScramError.Code
  ) throws {
    var server = try challenged()
    #expect(server.receive(message.bytes).refusal == code)
    #expect(server.receive(Vector.clientFinal.bytes).refusal == .outOfOrder)
  }

  @Test func `takes no message a second time`() throws {
    var server = try challenged()
    #expect(server.receive(Vector.clientFinal.bytes).user == Vector.user)
    #expect(server.receive(Vector.clientFinal.bytes).refusal == .outOfOrder)
    #expect(server.receive(Vector.clientFirst.bytes).refusal == .outOfOrder)
    // Another login has another nonce.
    var next = try Accounts.vector().server()
    _ = next.receive(Vector.clientFirst.bytes)
    #expect(next.receive(Vector.clientFinal.bytes).refusal == .wrongNonce)
  }

  @Test func `refuses a login that was made for another connection`() throws {
    var client = try ScramClient(
      user: Vector.user, password: Vector.password,
      offered: ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256"], binding: [1, 2, 3])
    var server = try Accounts.vector(binding: [1, 2, 4]).server(.scramSHA256Plus)
    let challenge = try #require(server.receive(client.firstMessage).challenge)
    #expect(server.receive(try client.reply(to: challenge)).refusal == .wrongBinding)
  }

  @Test func `answers for nobody as for somebody, and each time the same`() throws {
    func answer(_ user: String, secret: String = "secret") throws -> (salt: String, ScramError?) {
      var accounts = try Accounts.vector()
      accounts.secret = secret.bytes
      var client = try ScramClient(
        user: user, password: "wrong", offered: ["SCRAM-SHA-256"], binding: nil)
      var server = accounts.server()
      let challenge = try #require(server.receive(client.firstMessage).challenge)
      let fields = challenge.text.split(separator: ",")
      #expect(fields.count == 3 && fields[2] == "i=4096")
      guard case .refused(let error) = server.receive(try client.reply(to: challenge)) else {
        Issue.record("let in")
        return ("", nil)
      }
      return (String(fields[1]), error)
    }
    let somebody = try answer(Vector.user)
    let nobody = try answer("nobody")
    #expect(nobody.1 == somebody.1 && nobody.1 != nil)
    #expect(nobody.salt.count == somebody.salt.count && nobody.salt != somebody.salt)
    #expect(try answer("nobody").salt == nobody.salt)
    #expect(try answer("noone").salt != nobody.salt)
    #expect(try answer("nobody", secret: "other").salt != nobody.salt)
  }
}
