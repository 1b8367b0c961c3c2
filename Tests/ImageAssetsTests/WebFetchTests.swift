import ChatModel
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ImageAssets

@Suite(.timeLimit(.minutes(5)))
struct WebFetchTests {
  private let folder = TemporaryFolder()
  private let server: WebServer

  init() async throws { server = try await WebServer.forAll() }

  private static var limits: ImageLimits {
    var limits = ImageLimits()
    limits.fileBytes = 1 << 20
    limits.time = .seconds(60)
    return limits
  }

  private static let environment = ["PATH": "/usr/bin:/bin"]

  /// The size of the file, or why there is none.
  private func fetch(
    _ address: String, policy: AddressPolicy = WebServer.policy, limits: ImageLimits = limits,
    environment: [String: String] = environment, lookup: NameLookup = NameLookup()
  ) async throws -> Result<Int, ImageFailure> {
    let web = WebFetch(
      policy: policy, limits: limits, environment: environment, lookup: lookup,
      localNetworks: { [] })
    let cache = ImageDiskCache(folders: [folder.path])
    let part = try await cache.makePart()
    do throws(ImageFailure) {
      try await web.fetch(address, into: part)
      return .success(part.sizeInBytes)
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [
    "/image", "/image?a=b", "/image.txt", "/relative/x/y", "/times/0", "/times/5", "/picture-moved",
    "/image/{a,b}[1-3]",
  ])
  func `fetches an image whatever it is called and wherever it has moved`(_ path: String)
    async throws
  {
    #expect(try await fetch(server.address(path)) == .success(Samples.picture.count))
  }

  @Test(arguments: [
    ("/status/404", ImageFailure.status(404)), ("/status/500", .status(500)),
    ("/status/304", .status(304)), ("/nowhere", .status(302)), ("/page.png", .notAnImage),
    ("/large-page", .notAnImage), ("/tiny", .notAnImage), ("/empty", .empty), ("/nothing", .empty),
    ("/truncated", .incomplete), ("/truncated-chunks", .incomplete),
    ("/endless", .tooLarge(limitInBytes: 1 << 20)), ("/huge", .tooLarge(limitInBytes: 1 << 20)),
    ("/loop", .tooManyRedirects), ("/times/6", .tooManyRedirects),
    ("/to-secret", .forbiddenAddress(host: "127.0.0.1")), ("/to-file", .badAddress),
    ("/to-other", .badAddress), ("/to-user", .badAddress), ("/to-long", .badAddress),
    ("/hang-up", .unreachable(host: "127.0.0.2")), ("/old", .unreachable(host: "127.0.0.2")),
    ("/rubbish", .unreachable(host: "127.0.0.2")),
  ])
  func `says why there is no image`(_ path: String, _ failure: ImageFailure) async throws {
    #expect(try await fetch(server.address(path)) == .failure(failure))
    // The server that must not be reached has heard nothing.
    #expect(!server.requests.contains { $0.hasPrefix("/secret") })
  }

  @Test(arguments: ["/slow", "/silent", "/headers"])
  func `ends when it takes too long`(_ path: String) async throws {
    var limits = Self.limits
    limits.time = .milliseconds(1_500)
    let result = try await fetch(server.address(path), limits: limits)
    // Headers without an end may be too much for curl before.
    #expect(
      result == .failure(.timedOut) || path == "/headers" && (try? result.get()) == nil,
      "\(result)")
  }

  @Test func `ends when hardly anything comes`() async throws {
    var limits = Self.limits
    // Long before the time is over.
    limits.stallTime = .seconds(2)
    limits.time = .seconds(600)
    #expect(try await fetch(server.address("/slow"), limits: limits) == .failure(.timedOut))
  }

  @Test func `ends with its task, and curl with it`() async throws {
    let server = try await WebServer()
    let fetching = Task { try await fetch(server.address("/slow")) }
    #expect(await eventually { server.openCount == 1 })
    fetching.cancel()
    #expect(try await fetching.value == .failure(.cancelled))
    #expect(await eventually { server.openCount == 0 })
  }

  @Test(arguments: [
    "http://127.0.0.1:%/secret", "http://localhost:%/secret", "http://127.1:%/secret",
    "http://2130706433:%/secret", "http://0x7f000001:%/secret", "http://0177.0.0.1:%/secret",
    "http://[::1]:%/secret", "http://[::ffff:127.0.0.1]:%/secret",
    "http://169.254.169.254/secret",
  ])
  func `calls nothing that only this machine can reach`(_ address: String) async throws {
    let address = address.replacing("%", with: "\(server.secretPort)", maxReplacements: 1)
    guard case .failure(.forbiddenAddress) = try await fetch(address) else {
      Issue.record("\(address) is let through")
      return
    }
    #expect(!server.requests.contains { $0.hasPrefix("/secret") })
  }

  @Test(arguments: ["http://0:%/secret", "http://[::]:%/secret", "http://240.0.0.1/secret"])
  func `advises nothing where nothing helps`(_ address: String) async throws {
    let address = address.replacing("%", with: "\(server.secretPort)", maxReplacements: 1)
    let policy = AddressPolicy(allowsPrivate: true)
    guard case .failure(.uselessAddress) = try await fetch(address, policy: policy) else {
      Issue.record("\(address) is let through")
      return
    }
    #expect(!server.requests.contains { $0.hasPrefix("/secret") })
  }

  @Test func `takes a network that it is in for a private one`() async throws {
    let good = try #require(IPAddress("8.8.4.4"))
    let web = WebFetch(
      policy: AddressPolicy(), limits: Self.limits, environment: Self.environment,
      lookup: NameLookup { _ in [good] }, localNetworks: { ["8.8.4.0/24"] })
    let part = try await ImageDiskCache(folders: [folder.path]).makePart()
    let failure = await #expect(throws: ImageFailure.self) {
      try await web.fetch("http://images.example/image", into: part)
    }
    #expect(failure == .forbiddenAddress(host: "images.example"))
  }

  @Test func `calls the address that was checked, whatever a name means later`() async throws {
    let server = try await WebServer()
    let good = try #require(IPAddress("127.0.0.2"))
    let bad = try #require(IPAddress("127.0.0.1"))
    let address = "http://images.example:\(server.port)/image"
    #expect(
      try await fetch(address, lookup: NameLookup { _ in [good] })
        == .success(Samples.picture.count))
    #expect(server.requests.first?.contains("images.example:\(server.port)") == true)
    #expect(
      try await fetch(address, lookup: NameLookup { _ in [good, bad] })
        == .failure(.forbiddenAddress(host: "images.example")))
    #expect(
      try await fetch(address, lookup: NameLookup { _ in [] })
        == .failure(.unknownHost("images.example")))
  }

  @Test func `asks who answers for a certificate of the host that was named`() async throws {
    let place = try #require(IPAddress("127.0.0.2"))
    let lookup = NameLookup { _ in [place] }
    let trusting = Self.environment.merging(["CURL_CA_BUNDLE": server.certificate]) { $1 }
    func fetch(_ host: String, _ environment: [String: String]) async throws
      -> Result<Int, ImageFailure>
    {
      try await self.fetch(
        "https://\(host):\(server.securePort)/image", environment: environment, lookup: lookup)
    }
    #expect(try await fetch("images.example", trusting) == .success(Samples.picture.count))
    #expect(
      try await fetch("images.example", Self.environment)
        == .failure(.untrusted(host: "images.example")))
    #expect(
      try await fetch("other.example", trusting) == .failure(.untrusted(host: "other.example")))
  }

  @Test func `tries another address of a host when nobody answers`() async throws {
    let places = ["127.0.0.3", "127.0.0.2"].compactMap { IPAddress($0) }
    let policy = AddressPolicy(allowsPrivate: true)
    let lookup = NameLookup { _ in places }
    let address = "http://images.example:\(server.port)/image"
    #expect(
      try await fetch(address, policy: policy, lookup: lookup) == .success(Samples.picture.count))
    let none = "http://images.example:1/image"
    #expect(
      try await fetch(none, policy: policy, lookup: lookup)
        == .failure(.unreachable(host: "images.example")))
  }

  @Test func `a name server that never answers holds up nothing else`() async throws {
    let shared = Mutex("")
    let own = Mutex("")
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        shared.withLock { $0 = Self.queueName }
        continuation.resume()
      }
    }
    let place = try #require(IPAddress("127.0.0.2"))
    let lookup = NameLookup { _ in
      own.withLock { $0 = Self.queueName }
      return [place]
    }
    #expect(try await lookup.addresses(of: "images.example") == [place])
    #expect(own.withLock(\.self) != shared.withLock(\.self))
  }

  /// Of the queue that a thread runs for, dispatch_queue_get_label(3).
  private static var queueName: String {
    typealias Label = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>
    let label = dlsym(nil, "dispatch_queue_get_label").map { unsafeBitCast($0, to: Label.self) }
    return label.map { String(cString: $0(nil)) } ?? ""
  }

  @Test func `of a name server that never answers it is said so at once`() async throws {
    let answer = Mutex(false)
    let place = try #require(IPAddress("192.0.2.1"))
    let hanging = NameLookup(running: NameLookup.Running()) { _ in
      while !answer.withLock({ $0 }) { usleep(10_000) }
      return [place]
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<(NameLookup.limit + 1) {
        group.addTask {
          do throws(ImageFailure) {
            return try await hanging.addresses(of: "images.example").isEmpty
          } catch {
            return error == .tooManyLookups
          }
        }
      }
      // The others wait for the answer.
      #expect(await group.next() == true)
      answer.withLock { $0 = true }
      for await isRefused in group { #expect(!isRefused) }
    }
  }

  @Test(arguments: ["https://한글.kr/a.png", "http://bücher.example"])
  func `a host that is not written in ASCII is said to be one`(address: String) async throws {
    #expect(try await fetch(address) == .failure(.foreignHost))
  }

  @Test func `does not wait for a name server that never answers`() async throws {
    let answer = Mutex(false)
    var limits = Self.limits
    limits.time = .milliseconds(300)
    let hanging = NameLookup { _ in
      while !answer.withLock({ $0 }) { usleep(10_000) }
      return []
    }
    #expect(
      try await fetch("http://images.example/", limits: limits, lookup: hanging)
        == .failure(.timedOut))
    answer.withLock { $0 = true }
  }

  @Test func `sends neither names nor cookies nor goes by a proxy`() async throws {
    let environment = [
      "PATH": "/usr/bin:/bin", "http_proxy": "http://127.0.0.1:1",
      "ALL_PROXY": "http://127.0.0.1:1",
      "HOME": folder.path,
    ]
    folder.write(".curlrc", "user-agent = \"somebody\"\nproxy = http://127.0.0.1:1\n")
    folder.write(".netrc", "default login somebody password secret\n", mode: 0o600)
    let server = try await WebServer()
    let result = try await fetch(server.address("/cookie"), environment: environment)
    #expect(result == .success(Samples.picture.count))
    #expect(server.requests.count == 2)
    for request in server.requests {
      #expect(request.contains("\"User-Agent\": \"banter\""))
      for word in ["Cookie", "Authorization", "Referer", "somebody"] {
        #expect(!request.contains(word), "\(request)")
      }
    }
  }

  @Test(arguments: [
    "-o/tmp/banter-pwned", "--config=/etc/passwd", "file:///etc/passwd", "ftp://127.0.0.2/", "",
    "http://127.0.0.2:1/ -o /tmp/banter-pwned", "gopher://127.0.0.2/x",
  ])
  func `takes nothing for an address that is none`(_ address: String) async throws {
    #expect(try await fetch(address) == .failure(.badAddress))
    #expect(access("/tmp/banter-pwned", F_OK) != 0)
  }

  @Test func `says which program is missing`() async throws {
    let tools = TemporaryFolder()
    #expect(
      try await fetch(server.address("/image"), environment: ["PATH": tools.path])
        == .failure(.notInstalled(program: "curl")))
  }
}
