import TestSupport
import Testing

@testable import TransportSecurity

@Suite struct ScramLoginTests {
  @Test(arguments: [
    ("민수", "비밀번호", "민수"),
    ("\u{1106}\u{1175}\u{11ab}\u{1109}\u{116e}", "\u{1107}\u{1175}번호", "민수"),
    (",=,=2C", "=3D,=", ",=,=2C"), ("Ｊａｎｅ", "a\u{a0}b", "Jane"), ("I\u{ad}X", "ª", "IX"),
    ("👍🏽", "👨\u{200d}👩\u{200d}👧", "👍🏽"),
  ])
  func `lets people in however their names are written`(
    user: String, password: String, known: String
  ) throws {
    for binding in [nil, [UInt8](1...32)] {
      let verifier = try ScramVerifier(password: password, iterations: 4096)
      let accounts = Accounts(verifiers: [known: verifier], binding: binding)
      let name = try logIn(user, password, to: accounts, binding: binding)
      #expect(name.map { Array($0.unicodeScalars) } == Array(known.unicodeScalars))
      #expect(try logIn(user, password + "x", to: accounts, binding: binding) == nil)
    }
  }

  @Test func `takes the same password composed or not`() throws {
    let verifier = try ScramVerifier(password: "한글", iterations: 4096)
    let accounts = Accounts(verifiers: ["a": verifier])
    #expect(try logIn("a", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", to: accounts) == "a")
  }

  @Test func `lets in whoever knows the password, and nobody else`() throws {
    var random = SeededRandom(seed: 7677)
    let letters = Array(",=a2CD민수\u{1112}\u{1161}\u{11ab}é ß=,\u{2126}").map(String.init)
    for _ in 0..<(isSoak ? 3000 : 150) {
      let user = word(of: letters, &random)
      let password = word(of: letters, &random)
      let binding = random.once(in: 2) ? [UInt8](1...32) : nil
      let verifier = try ScramVerifier(password: password, iterations: 4096)
      let accounts = Accounts(
        verifiers: [try ScramName.prepared(user): verifier], binding: binding)
      #expect(try logIn(user, password, to: accounts, binding: binding) != nil)
      let other = password + random.pick(["a", "\u{1112}", "="])
      #expect(try logIn(user, other, to: accounts, binding: binding) == nil)
    }
  }

  private func word(of letters: [String], _ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 1...12, using: &random)).map { _ in random.pick(letters) }.joined()
  }

  @Test func `lets nobody in by a message that was changed on the way`() throws {
    var random = SeededRandom(seed: 5802)
    let accounts = try Accounts.vector()
    for round in 0..<(isSoak ? 100_000 : 2000) {
      var client = try ScramClient(
        user: Vector.user, password: Vector.password, offered: accounts.offered, binding: nil)
      var server = accounts.server()
      let isFirst = round.isMultiple(of: 3)
      let first = isFirst ? changed(client.firstMessage, &random) : client.firstMessage
      guard let challenge = server.receive(first).challenge else { continue }
      guard let final = try? client.reply(to: challenge) else { continue }
      let step = server.receive(isFirst ? final : changed(final, &random))
      #expect(step.refusal != nil, "let in by \(first.text) and \(final.text)")
    }
  }

  @Test func `believes no message of a server that was changed on the way`() throws {
    var random = SeededRandom(seed: 9266)
    let accounts = try Accounts.vector()
    for round in 0..<(isSoak ? 50_000 : 1000) {
      var client = try ScramClient(
        user: Vector.user, password: Vector.password, offered: accounts.offered, binding: nil)
      var server = accounts.server()
      let challenge = try #require(server.receive(client.firstMessage).challenge)
      let isFirst = round.isMultiple(of: 2)
      let told = isFirst ? changed(challenge, &random, keepingCost: true) : challenge
      guard let answer = try? client.reply(to: told) else { continue }
      let step = server.receive(answer)
      guard !isFirst else {
        #expect(step.refusal != nil, "let in by \(told.text)")
        continue
      }
      let final = changed(try #require(step.finalMessage), &random)
      #expect(throws: ScramError.self, "believed \(final.text)") { try client.verify(final) }
    }
  }

  /// The message with one thing changed; never the message itself.
  private func changed(
    _ message: [UInt8], _ random: inout SeededRandom, keepingCost: Bool = false
  ) -> [UInt8] {
    while true {
      var bytes = message
      // Digits in the iteration count would only make the test slow.
      let index = Int.random(in: 0..<(bytes.count - (keepingCost ? 6 : 0)), using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(random.pick(",=mnprscvi\0é".bytes), at: index)
      case 3: bytes.swapAt(index, Int.random(in: 0...index, using: &random))
      case 4: bytes.insert(contentsOf: bytes.prefix(index), at: index)
      default: bytes.removeSubrange(index...)
      }
      if bytes != message { return bytes }
    }
  }
}
