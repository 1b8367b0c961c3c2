internal import ChatSession
internal import Glibc
internal import Hub
internal import Sockets

/// Who may call at a Unix socket, as `--socket-mode` and `--socket-group` say.
struct SocketOptions {
  private let rights: SocketRights?
  /// Whether it was said where to listen; a user's own socket stays private.
  private let isListening: Bool

  /// Nothing is changed where neither is given. A group that is given the
  /// socket may call, unless a mode says otherwise.
  init(_ options: Options) throws {
    isListening = !options.listen.isEmpty
    guard options.socketMode != nil || options.socketGroup != nil else {
      rights = nil
      return
    }
    rights = SocketRights(
      mode: try options.socketMode.map(Self.mode) ?? 0o660,
      group: try options.socketGroup.map(Self.group))
  }

  /// Sets it at each Unix socket that the hub makes.
  func apply(to endpoints: inout [HubConfiguration.Endpoint]) throws(UsageError) {
    guard let rights else { return }
    let own = endpoints.indices.filter { index in
      guard case .path = endpoints[index].address.place else { return false }
      return endpoints[index].socket == nil
    }
    guard isListening, !own.isEmpty else {
      throw UsageError(
        "--socket-mode and --socket-group want --listen unix:///PATH; of a socket that systemd "
          + "hands over, SocketMode= and SocketGroup= tell",
        "--socket-mode와 --socket-group에는 --listen unix:///PATH가 필요합니다. systemd가 넘겨주는 "
          + "소켓은 SocketMode=와 SocketGroup=으로 정합니다")
    }
    for index in own { endpoints[index].rights = rights }
  }

  private static func mode(_ text: String) throws(UsageError) -> UInt32 {
    let isOctal = text.utf8.allSatisfy { (0x30...0x37).contains($0) }
    guard isOctal, let mode = UInt32(text, radix: 8), mode <= 0o777 else {
      throw UsageError(
        "--socket-mode wants an octal mode such as 660, not \(text)",
        "--socket-mode 값은 660 같은 8진수입니다: \(text)")
    }
    return mode
  }

  private static let entryBytes = 64 * 1024

  /// The number of a group by its name, getgrnam_r(3), or as it stands there.
  private static func group(_ name: String) throws(UsageError) -> UInt32 {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    let number = withUnsafeTemporaryAllocation(of: CChar.self, capacity: entryBytes) { buffer in
      let status = getgrnam_r(name, &entry, buffer.baseAddress, buffer.count, &found)
      return status == 0 && found != nil ? entry.gr_gid : nil
    }
    // The last number stands for none, chown(2).
    guard let group = number ?? UInt32(name), group != .max else {
      throw UsageError(
        "--socket-group: there is no group \(name) here; groups lists those you are in",
        "--socket-group: \(name) 그룹이 없습니다. 속한 그룹은 groups로 볼 수 있습니다")
    }
    return group
  }
}
