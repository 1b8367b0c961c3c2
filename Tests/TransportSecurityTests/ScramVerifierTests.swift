import Testing

@testable import TransportSecurity

@Suite struct ScramVerifierTests {
  @Test func `is written as PostgreSQL writes it`() throws {
    #expect(
      try Vector.verifier().text
        == "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$"
        + "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
    )
  }

  @Test func `reads what it has written`() throws {
    let verifier = try ScramVerifier(password: "pencil", iterations: 5000)
    let copy = try #require(ScramVerifier(text: verifier.text))
    #expect(copy.text == verifier.text)
    #expect(copy.salt == verifier.salt && copy.iterations == 5000)
    #expect(copy.storedKey == verifier.storedKey && copy.serverKey == verifier.serverKey)
  }

  @Test func `has a salt of its own each time`() throws {
    let texts = try (0..<20).map { _ in
      try ScramVerifier(password: "pencil", iterations: 4096).text
    }
    #expect(Set(texts).count == 20)
  }

  static let good = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$\(key):\(key)"
  static let key = "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY="

  @Test(arguments: [
    "", "SCRAM-SHA-256", good + "$", good + ":", " " + good, good + "\n", good + "\u{301}",
    good.replacing("256$", with: "512$"), good.replacing("SCRAM", with: "scram"),
    good.replacing("4096", with: "4095"), good.replacing("4096", with: "10000001"),
    good.replacing("4096", with: "04096"), good.replacing("4096", with: "+4096"),
    good.replacing("4096", with: ""), good.replacing("4096", with: "99999999999999999999"),
    good.replacing("4096", with: "４０９６"), good.replacing("W22ZaJ0SNY7soEsUEjb6gQ==", with: ""),
    good.replacing("W22ZaJ0SNY7soEsUEjb6gQ==", with: "W22Z"),
    good.replacing("W22ZaJ0SNY7soEsUEjb6gQ==", with: String(repeating: "W22Z", count: 22)),
    good.replacing("gQ==", with: "gQ"), good.replacing("WG5d", with: ""),
    good.replacing("WG5d", with: "WG5dWG5d"), good.replacing("WG5d", with: "WG5!"),
  ])
  func `reads nothing else`(text: String) {
    #expect(ScramVerifier(text: Self.good) != nil)
    #expect(ScramVerifier(text: text) == nil)
  }

  @Test(arguments: ["", "\u{ad}", "a\u{7}b", "a\u{e000}"])
  func `is not made of a password that cannot be typed`(password: String) {
    let error = #expect(throws: ScramError.self) {
      try ScramVerifier(password: password, iterations: 4096)
    }
    #expect(error?.code == .invalidPassword)
  }
}
