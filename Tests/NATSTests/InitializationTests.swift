import TestSupport
import Testing

/// What `banter-nats init` is told.
struct InitializationTests {
  private func run(_ words: String, language: String = "C.UTF-8") async -> Outcome {
    await Program.run(
      "LANG=\(language) \(quoted(Program.products))/banter-nats \(words) </dev/null")
  }

  @Test(arguments: ["--help", "-h", "init --help", "init nats://host -h", "init --keep 5 --help"])
  func `tells how it is used when it is asked`(_ words: String) async {
    let help = await run(words)
    #expect(help.status == 0 && help.text.contains("banter-nats init [OPTIONS] ADDRESS"))
    #expect(help.errorText.isEmpty)
  }

  @Test(arguments: [
    ("init", "an address"), ("init --keep", "wants a value"), ("init --keep 0 nats://x", "above 0"),
    ("init --keep 99999999999999999999 nats://x", "above 0"), ("init --issuers", "wants a value"),
    ("init -x nats://x", "no option -x"), ("init nats://a nats://b", "one address"),
    ("init http://x", "http://x is no address"),
  ])
  func `says what is wrong with it`(_ words: String, _ reason: String) async {
    let outcome = await run(words)
    #expect(outcome.status == 64 && outcome.text.isEmpty)
    #expect(outcome.errorText.contains(reason) && outcome.errorText.contains("init --help"))
  }

  @Test func `speaks Korean to whom it is told to`() async {
    #expect(await run("init -x", language: "ko_KR.UTF-8").errorText.contains("옵션은 없습니다"))
  }

  @Test func `says what to do about a single server, and only there`() async throws {
    let accounts = "authorization { users: [ { user: root, password: secret } ] }"
    let cluster = try await NATSCluster(size: 1, extra: accounts)
    let three = await cluster.prepare("--replicas 3", user: "root", password: "secret")
    #expect(three.status == 69 && three.errorText.contains("--replicas 1"), "\(three)")
    let wrong = await cluster.prepare("--replicas 3", user: "root", password: "wrong")
    #expect(wrong.status == 69 && !wrong.errorText.contains("--replicas"), "\(wrong)")
    let path = "/nowhere/ca.pem"
    let missing = await cluster.prepare("--issuers \(path)", user: "root", password: "secret")
    #expect(missing.errorText.contains("\(path): No such file"), "\(missing)")
  }

  @Test func `says which right is missing, at once`() async throws {
    let accounts = """
      authorization { users: [ { user: jane, password: secret, permissions {
        publish { allow: ["room.tea"] }, subscribe { allow: ["_INBOX.jane.>"] } } } ] }
      """
    let cluster = try await NATSCluster(size: 1, extra: accounts)
    let denied = await cluster.prepare("", user: "jane", password: "secret")
    #expect(denied.status == 69 && !denied.errorText.contains("--replicas"), "\(denied)")
    #expect(denied.errorText.contains("STREAM.INFO.BANTER"), "\(denied)")
  }
}
