internal import Glibc
internal import Sockets

/// Who the system says somebody is, getpwuid_r(3).
struct SystemUser {
  var name: String
  var fullName: String

  /// The user at the other end of a Unix socket; nil where the system does not
  /// say who it is.
  init?(atSocket descriptor: Int32) {
    guard let number = peerUser(of: descriptor) else { return nil }
    self.init(number)
  }

  /// The user that this process runs as, such as one that sshd has started.
  static var own: SystemUser { SystemUser(geteuid()) }

  private static let entryBytes = 64 * 1024

  private init(_ number: uid_t) {
    name = "user\(number)"
    fullName = name
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.entryBytes) { buffer in
      guard let start = buffer.baseAddress else { return }
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = getpwuid_r(number, &entry, start, buffer.count, &found)
      guard status == 0, found != nil else { return }
      name = String(cString: entry.pw_name)
      let information = entry.pw_gecos.map { String(cString: $0) } ?? ""
      fullName = String(information.prefix { $0 != "," })
    }
  }
}
