internal import Glibc

/// Why a transport could not do what it was asked to, as one sentence that a
/// user can act on.
package struct TransportError: Error, Hashable, Sendable {
  /// The kind of failure; open, so that a new kind breaks nobody's `switch`.
  package struct Code: Hashable, Sendable {
    /// A word for logs.
    package var name: String
    /// The exit status that tells of it (sysexits.h).
    package var exitStatus: Int32
    /// Whether the same attempt may succeed later without anybody changing
    /// what is sent.
    package var isTransient: Bool

    package init(name: String, exitStatus: Int32, isTransient: Bool) {
      self.name = name
      self.exitStatus = exitStatus
      self.isTransient = isTransient
    }

    /// There is no such room, or no such folder for it.
    package static let notFound = Code(name: "notFound", exitStatus: 66, isTransient: false)
    /// Permission is missing, or the file system is read-only.
    package static let denied = Code(name: "denied", exitStatus: 77, isTransient: false)
    /// The room or its folder could not be made.
    package static let cannotCreate = Code(name: "cannotCreate", exitStatus: 73, isTransient: false)
    /// The device or the file system failed.
    package static let inputOutput = Code(name: "inputOutput", exitStatus: 74, isTransient: true)
    /// The disk is full, or a quota or a file's greatest size is reached.
    package static let noSpace = Code(name: "noSpace", exitStatus: 74, isTransient: true)
    /// Something else holds what is needed, for now.
    package static let busy = Code(name: "busy", exitStatus: 75, isTransient: true)
    /// What was asked makes no sense here, such as a folder for a room.
    package static let invalid = Code(name: "invalid", exitStatus: 65, isTransient: false)
    /// The address names nothing that could be a room there.
    package static let usage = Code(name: "usage", exitStatus: 64, isTransient: false)
    /// The event is larger than the room takes.
    package static let tooLarge = Code(name: "tooLarge", exitStatus: 65, isTransient: false)
    /// What has come is not what was sent.
    package static let altered = Code(name: "altered", exitStatus: 65, isTransient: false)
    /// A cursor names a place that is no longer in the room.
    package static let gone = Code(name: "gone", exitStatus: 65, isTransient: false)
    /// Nobody answers at the address, or the way to it is broken.
    package static let unreachable = Code(name: "unreachable", exitStatus: 69, isTransient: true)
    /// The far side does not keep to the protocol.
    package static let broken = Code(name: "broken", exitStatus: 76, isTransient: true)
    /// The log-in was refused, or the far side is not who it should be.
    package static let refused = Code(name: "refused", exitStatus: 77, isTransient: false)
    /// Whether it arrived cannot be known, and repeating it might double it.
    package static let uncertain = Code(name: "uncertain", exitStatus: 74, isTransient: false)
    /// The room was closed before it could be done.
    package static let closed = Code(name: "closed", exitStatus: 75, isTransient: true)
  }

  package var code: Code
  /// The errno(3) behind it, if any.
  package var errorNumber: Int32?
  /// The file or the address that it is about.
  package var path: String?
  /// What is wrong and what to do about it, without the path and without a
  /// full stop.
  package var reason: String

  package init(_ code: Code, errorNumber: Int32? = nil, path: String? = nil, reason: String) {
    self.code = code
    self.errorNumber = errorNumber
    self.path = path
    self.reason = reason
  }
}

extension TransportError: CustomStringConvertible {
  /// `what: why`, on one line.
  package var description: String {
    path.map { "\($0): \(reason)" } ?? reason
  }
}

extension TransportError {
  /// What the system said when it was asked to read or write `path`, errno(3).
  static func system(_ number: Int32, path: String) -> TransportError {
    let (code, advice) = meaning(of: number)
    let said = String(cString: strerror(number))
    return TransportError(
      code, errorNumber: number, path: path,
      reason: advice.isEmpty ? said : "\(said); \(advice)")
  }

  /// The same where a file or a folder was to be made: what is missing then
  /// cannot be found "again", and is the reason why nothing was made.
  static func creating(_ number: Int32, path: String) -> TransportError {
    var error = system(number, path: path)
    if error.code == .notFound || error.code == .invalid { error.code = .cannotCreate }
    return error
  }

  /// `path` is there, but no file.
  static func notRegular(
    path: String, mode: UInt32, _ role: Descriptor.Role
  ) -> TransportError {
    let kinds: [UInt32: String] = [
      UInt32(S_IFDIR): "a folder", UInt32(S_IFIFO): "a named pipe", UInt32(S_IFSOCK): "a socket",
      UInt32(S_IFCHR): "a device", UInt32(S_IFBLK): "a device",
      UInt32(S_IFLNK): "a link",
    ]
    let kind = kinds[mode & UInt32(S_IFMT)] ?? "no regular file"
    let wanted =
      switch role {
      case .room: "a room is a file"
      case .attachment: "only files can be attached"
      case .stored: "only files are handed out"
      }
    return TransportError(
      .invalid, path: path, reason: "this is \(kind), and \(wanted); name a file")
  }

  private static func meaning(of number: Int32) -> (Code, advice: String) {
    switch number {
    case ENOENT: (.notFound, "check the name")
    case EACCES, EPERM: (.denied, "ask the owner of the file or its folder for permission")
    case EROFS: (.denied, "the room can be read, but nothing can be sent to it")
    case ENOSPC, EDQUOT: (.noSpace, "make room on the disk, then send again")
    case EFBIG: (.noSpace, "the file has reached the greatest size; begin a new one")
    case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EINVAL: (.invalid, "check the path")
    case EMFILE, ENFILE: (.inputOutput, "close something, or raise the limit (ulimit -n)")
    default: (.inputOutput, "")
    }
  }
}
