internal import Glibc
internal import Processes

/// One request by `curl`, which follows no redirect and calls the one address
/// that it is told. Its limits of memory are set by prlimit(1).
struct CurlRun {
  let address: ImageAddress
  let place: IPAddress
  let limits: ImageLimits
  /// How much time is left.
  let time: Duration
  let environment: [String: String]

  /// What came of it.
  enum Answer {
    /// The image is in the file.
    case image
    /// It is at another address.
    case moved(to: String)
    /// Nobody has said anything; at another address of the host it may be
    /// otherwise.
    case silence(ImageFailure)
  }

  /// Ends `curl` when its task is cancelled.
  func run(into part: IncomingImage) async throws(ImageFailure) -> Answer {
    guard let errors = ErrorOutput() else { throw cannotStart(errno) }
    let filter = BodyFilter(into: part, limitInBytes: limits.fileBytes)
    let status: Int32
    do {
      status = try await ChildProcess.run(
        arguments, environment: environment, error: .kept(errors), within: time + .seconds(1),
        forEachChunk: filter.take)
    } catch {
      throw error.errorNumber == ENOENT
        ? .notInstalled(program: error.program) : cannotStart(error.errorNumber)
    }
    return try outcome(status, report: errors.text, filter)
  }

  private func cannotStart(_ number: Int32) -> ImageFailure {
    .cannotStart(program: "curl", errorNumber: number)
  }

  // MARK: - What it is told

  private var arguments: [String] {
    let most = String(limits.fileBytes)
    let target = place.isIPv6 ? "[\(place)]" : "\(place)"
    return [
      "prlimit", "--as=1073741824", "--core=0", "curl",
      // First: no file of settings is read.
      "-q", "--silent", "--fail", "--globoff", "--disallow-username-in-url",
      // Whatever host and port it reads in the address, it calls this place: a
      // name server that changes its mind is not asked again.
      "--connect-to", "::\(target):\(address.port)", "--noproxy", "*", "--proto", "=http,https",
      "--connect-timeout", seconds(min(limits.connectTime, time)), "--max-time", seconds(time),
      "--speed-limit", "64", "--speed-time", String(max(1, limits.stallTime.components.seconds)),
      "--max-filesize", most, "--user-agent", "banter",
      "--header", "Accept: image/png, image/jpeg, image/gif, image/webp, */*;q=0.1",
      "--write-out", "%{stderr}%{http_code} %{redirect_url}", "--url", address.text,
    ]
  }

  /// As `curl` reads it: `1.250`.
  private func seconds(_ duration: Duration) -> String {
    let thousandths = max(1, duration / .milliseconds(1))
    let (whole, rest) = Int(min(thousandths, 1e9)).quotientAndRemainder(dividingBy: 1_000)
    return "\(whole).\(String(rest + 1_000).dropFirst())"
  }

  // MARK: - What it says

  /// Exit statuses are those of curl(1).
  private func outcome(
    _ status: Int32, report: String, _ filter: BodyFilter
  ) throws(ImageFailure) -> Answer {
    if let failure = filter.failure { throw failure }
    let words = Self.words(report)
    let host = address.host
    switch status {
    case 0:
      guard let words else { throw .badAddress }
      return try answer(words.code, words.location, filter)
    case 7: return .silence(.unreachable(host: host))
    case 18, 56, 92: throw .incomplete
    case 22: throw .status(words?.code ?? 0)
    case 28:
      guard let words, words.code > 0 else { return .silence(.timedOut) }
      throw .timedOut
    case 35, 51, 53...54, 58...60, 64, 66, 77, 80, 82...83, 90...91: throw .untrusted(host: host)
    case ChildProcess.timedOutStatus: throw .timedOut
    case 63: throw .tooLarge(limitInBytes: limits.fileBytes)
    case 127: throw .notInstalled(program: "curl")
    default: throw .unreachable(host: host)
    }
  }

  private func answer(
    _ code: Int, _ location: String, _ filter: BodyFilter
  ) throws(ImageFailure) -> Answer {
    if (300...399).contains(code), !location.isEmpty { return .moved(to: location) }
    guard (200...299).contains(code) else { throw .status(code) }
    try filter.finish()
    return .image
  }

  /// Nil where the address was so long that its beginning is gone.
  private static func words(_ report: String) -> (code: Int, location: String)? {
    guard let line = report.split(separator: "\n").last else { return nil }
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, words[0].utf8.count == 3, let code = Int(words[0]) else { return nil }
    return (code, String(words[1]))
  }
}
