/// How fetches have ended: of so many images, those that were asked for last.
struct KnownImages {
  private struct Entry {
    var result: Result<ImageFile, ImageFailure>
    var usedAt: UInt64
    /// How often it has failed in a row.
    var failures = 0
    /// When it may be tried again without anybody asking.
    var retryAt: ContinuousClock.Instant?
  }

  private static let firstPause = Duration.seconds(30)
  private static let longestPause = Duration.seconds(3_600)

  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// How many there are.
  var count: Int { entries.count }

  /// The result of the last fetch; nil where there was none.
  subscript(key: String) -> Result<ImageFile, ImageFailure>? { entries[key]?.result }

  /// Marks one as used.
  mutating func touch(_ key: String) {
    uses += 1
    entries[key]?.usedAt = uses
  }

  /// Forgets one.
  mutating func forget(_ key: String) { entries[key] = nil }

  /// Whether one is worth to be fetched ahead: it is not there, and has not
  /// failed lately, or for good.
  func isWorthFetchingAhead(_ key: String, at now: ContinuousClock.Instant) -> Bool {
    guard let entry = entries[key] else { return true }
    guard case .failure = entry.result, let retryAt = entry.retryAt else { return false }
    return now >= retryAt
  }

  /// Notes how a fetch has ended. What may be better later has to wait the
  /// longer the more often it has failed.
  mutating func note(
    _ result: Result<ImageFile, ImageFailure>, of key: String, at now: ContinuousClock.Instant
  ) {
    uses += 1
    var entry = Entry(result: result, usedAt: uses)
    if case .failure(let failure) = result {
      entry.failures = (entries[key]?.failures ?? 0) + 1
      if failure.isTransient {
        let pause = Self.firstPause * (1 << min(entry.failures - 1, 10))
        entry.retryAt = now + min(pause, Self.longestPause)
      }
    }
    entries[key] = entry
    // Some at once: looking for the oldest is costly.
    if entries.count > limit + limit / 4 { removeOldest(entries.count - limit) }
  }

  private mutating func removeOldest(_ count: Int) {
    for entry in entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }).prefix(count) {
      entries[entry.key] = nil
    }
  }
}
