internal import Glibc
internal import Sockets

/// Who the system says is at the other end of a connection, getpwuid_r(3).
struct SystemUser {
  var name: String
  var fullName: String

  /// The user at the other end of a Unix socket; of anything else, the one
  /// that this process runs as, such as one that sshd has started.
  init(at descriptor: Int32) {
    let number = peerUser(of: descriptor) ?? geteuid()
    guard let entry = getpwuid(number)?.pointee else {
      name = "user\(number)"
      fullName = name
      return
    }
    name = String(cString: entry.pw_name)
    let information = entry.pw_gecos.map { String(cString: $0) } ?? ""
    fullName = String(information.prefix { $0 != "," })
  }
}
