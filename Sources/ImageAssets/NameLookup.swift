internal import CPosix
internal import Executors
internal import Glibc
internal import Synchronization

/// The addresses of a host, getaddrinfo(3), on a thread of its own.
///
/// Nothing ends that call early. Who does not wait for it any more leaves it
/// behind, and only so many may be left behind.
struct NameLookup: Sendable {
  static let limit = 16

  /// How many run, whoever has asked.
  final class Running: Sendable {
    static let everywhere = Running()
    fileprivate let count = Mutex(0)
  }

  private let running: Running

  /// Blocks; nothing where nobody knows the name.
  private let resolve: @Sendable (String) -> [IPAddress]

  /// - Parameter resolve: stands for getaddrinfo(3) in tests.
  init(
    running: Running = .everywhere,
    _ resolve: @escaping @Sendable (String) -> [IPAddress] = Self.addresses
  ) {
    (self.running, self.resolve) = (running, resolve)
  }

  /// In the order in which they should be tried (RFC 6724).
  func addresses(of host: String) async throws(ImageFailure) -> [IPAddress] {
    let isAllowed = running.count.withLock { count in
      guard count < Self.limit else { return false }
      count += 1
      return true
    }
    guard isAllowed else { throw .tooManyLookups }
    // A task that is cancelled waits no longer.
    let (answers, answer) = AsyncStream.makeStream(of: [IPAddress].self)
    runOnOwnThread { [resolve, running] in
      answer.yield(resolve(host))
      running.count.withLock { $0 -= 1 }
    }
    var iterator = answers.makeAsyncIterator()
    guard let addresses = await iterator.next() else { throw .cancelled }
    guard !addresses.isEmpty else { throw .unknownHost(host) }
    return addresses
  }

  private static func addresses(of host: String) -> [IPAddress] {
    var found: UnsafeMutablePointer<addrinfo>?
    guard posix_resolve(host, "", false, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [IPAddress] = []
    var next = found
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let pointer = entry.ai_addr, let address = IPAddress(pointer) else { continue }
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}
