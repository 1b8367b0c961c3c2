internal import CPosix
internal import FileSystem
internal import Glibc

/// What a process has started, and what that has, as far as it belongs to the
/// session of the terminal that this process belongs to (credentials(7)): an
/// editor that has made itself a daemon goes on.
///
/// Each is known by a descriptor (pidfd_open(2)), so that no signal goes to
/// another process that has got its id.
final class ProcessFamily: Sendable {
  private let members: [Int32]

  /// The family of a process as it is now, the process itself excluded.
  init(of id: pid_t) {
    members = Self.descendants(of: id).compactMap { process in
      let member = posix_open_process(process.id)
      guard member >= 0 else { return nil }
      guard Process(process.id)?.parent == process.parent else {
        close(member)
        return nil
      }
      return member
    }
  }

  deinit { for member in members { close(member) } }

  /// Sends a signal to those that are still there.
  func send(_ number: Int32) {
    for member in members { _ = posix_signal_process(member, number) }
  }

  /// Returns when all have ended, or after `seconds` for each that has not.
  func wait(seconds: Int32) {
    for member in members {
      var entry = pollfd(fd: member, events: Int16(POLLIN), revents: 0)
      while poll(&entry, 1, seconds * 1_000) < 0 && errno == EINTR {}
    }
  }

  /// Parents come before their children.
  private static func descendants(of id: pid_t) -> [Process] {
    let session = getsid(0)
    let children = Dictionary(grouping: Process.all.filter { $0.session == session }, by: \.parent)
    var found = children[id] ?? []
    var next = 0
    while next < found.count {
      found += children[found[next].id] ?? []
      next += 1
    }
    return found
  }

  /// A line of proc_pid_stat(5).
  private struct Process {
    let id: pid_t
    let parent: pid_t
    let session: pid_t

    static var all: [Process] {
      FolderEntries("/proc")?.compactMap { name in pid_t(name).flatMap { Process($0) } } ?? []
    }

    init?(_ id: pid_t) {
      let file = open("/proc/\(id)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var buffer = [UInt8](repeating: 0, count: 1_024)
      let count = read(file, &buffer, buffer.count)
      let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
      // The name, in parentheses, may be anything.
      guard let name = text.lastIndex(of: ")") else { return nil }
      let fields = text[name...].split(separator: " ")
      guard fields.count > 4, let parent = pid_t(fields[2]), let session = pid_t(fields[4])
      else { return nil }
      (self.id, self.parent, self.session) = (id, parent, session)
    }
  }
}
