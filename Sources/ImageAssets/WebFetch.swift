/// Fetches images from the web by `curl`, in another process: see the decision
/// "Images from the web".
package struct WebFetch: Sendable {
  private let policy: AddressPolicy
  private let limits: ImageLimits
  private let lookup: NameLookup
  private let environment: [String: String]
  private let localNetworks: @Sendable () -> [IPNetwork]

  /// How many addresses of one host are tried.
  private static let addressLimit = 4

  /// - Parameter environment: of it, `curl` gets where programs are, the
  ///   language, and which certificates are trusted; no proxy, which would look
  ///   up names itself.
  package init(policy: AddressPolicy, limits: ImageLimits, environment: [String: String]) {
    self.init(policy: policy, limits: limits, environment: environment, lookup: NameLookup())
  }

  /// - Parameter localNetworks: asked at each address, as they change.
  init(
    policy: AddressPolicy, limits: ImageLimits, environment: [String: String], lookup: NameLookup,
    localNetworks: @escaping @Sendable () -> [IPNetwork] = IPNetwork.local
  ) {
    let passed = [
      "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
      "CURL_CA_BUNDLE",
    ]
    (self.policy, self.limits, self.lookup) = (policy, limits, lookup)
    self.localNetworks = localNetworks
    self.environment = environment.filter { passed.contains($0.key) }
  }

  /// Fetches what is at an address into a file. When its task is cancelled it
  /// ends.
  func fetch(_ address: String, into part: IncomingImage) async throws(ImageFailure) {
    let deadline = ContinuousClock.now + limits.time
    let result = await within(limits.time) { await follow(address, into: part, until: deadline) }
    if Task.isCancelled { throw .cancelled }
    guard let result else { throw .timedOut }
    try result.get()
  }

  /// Goes from redirect to redirect, checking each address anew.
  private func follow(
    _ address: String, into part: IncomingImage, until deadline: ContinuousClock.Instant
  ) async -> Result<Void, ImageFailure> {
    var next = address
    do throws(ImageFailure) {
      for _ in 0...max(0, limits.redirects) {
        guard let address = ImageAddress(next) else {
          throw ImageAddress.hasForeignHost(next) ? .foreignHost : .badAddress
        }
        let places = try await allowedPlaces(of: address.host)
        switch try await ask(address, at: places, into: part, until: deadline) {
        case .image: return .success(())
        case .moved(let location): next = location
        case .silence(let failure): throw failure
        }
      }
      throw .tooManyRedirects
    } catch {
      return .failure(error)
    }
  }

  /// One address that is refused is enough: a name that has such a one is not
  /// there for images.
  private func allowedPlaces(of host: String) async throws(ImageFailure) -> [IPAddress] {
    let places = try await lookup.addresses(of: host)
    var policy = policy
    policy.localNetworks = localNetworks()
    let verdicts = Set(places.map(policy.verdict))
    if verdicts.contains(.isUseless) { throw .uselessAddress(host: host) }
    if verdicts.contains(.isPrivate) { throw .forbiddenAddress(host: host) }
    return Array(places.prefix(Self.addressLimit))
  }

  private func ask(
    _ address: ImageAddress, at places: [IPAddress], into part: IncomingImage,
    until deadline: ContinuousClock.Instant
  ) async throws(ImageFailure) -> CurlRun.Answer {
    var answer = CurlRun.Answer.silence(.unreachable(host: address.host))
    for place in places {
      guard case .silence = answer else { break }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero, !Task.isCancelled else { throw .timedOut }
      part.clear()
      let run = CurlRun(
        address: address, place: place, limits: limits, time: left, environment: environment)
      answer = try await run.run(into: part)
    }
    return answer
  }
}

/// Does something that ends when its task is cancelled.
/// - Returns: nil when it takes longer, once it has ended.
func within<Value: Sendable>(
  _ time: Duration, _ body: @escaping @Sendable () async -> Value
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await body() }
    group.addTask {
      try? await Task.sleep(for: time)
      return nil
    }
    let first = await group.next() ?? nil
    group.cancelAll()
    return first
  }
}
