import Glibc
import TestSupport
import Testing

@testable import Transport

/// A plugin that misbehaves as its name says, in a home of its own.
final class FakePlugin {
  let folder = TemporaryFolder()
  let link: PluginLink

  init(_ name: String, mode: mode_t = 0o755) {
    signal(SIGPIPE, SIG_IGN)
    folder.write("name", name)
    // A script that is written while others are being started may be "busy"
    // (execve(2), ETXTBSY).
    let path = "\(folder.path)/banter-fake"
    if mode & 0o111 != 0 {
      symlink(Path.parent(of: #filePath) + "/../FakePlugin/fake-plugin.py", path)
    } else {
      folder.write("banter-fake", "#!/bin/sh\n", mode: mode)
    }
    link = PluginLink(
      PluginProgram(scheme: "fake", path: path), name: "fake://here",
      environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "SECRET": "x", "LANG": "C"])
  }

  func room(
    _ name: String = "team", patience: Duration = .seconds(60),
    questioner: (any Questioner)? = nil, settings: [String: String] = [:],
    change: (inout LinkTiming) -> Void = { _ in }
  ) -> LinkRoom {
    var timing = LinkTiming()
    timing.firstWait = .milliseconds(10)
    change(&timing)
    return LinkRoom(
      PluginDialer(link, patience: patience), room: name,
      hello: Hello(client: "test", profile: nil, settings: settings),
      timing: timing, questioner: questioner, executor: link.executor)
  }

  /// The processes that were started, in order.
  var processes: [pid_t] {
    String(decoding: folder.read("pids") ?? [], as: UTF8.self).split(separator: "\n")
      .compactMap { pid_t($0) }
  }

  func text(_ name: String) -> String {
    String(decoding: folder.read(name) ?? [], as: UTF8.self)
  }

  /// Waits until there is no such process any more, or it is a zombie.
  func waitUntilGone(_ id: pid_t) async throws {
    while kill(id, 0) == 0, isRunning(id) { try await Task.sleep(for: .milliseconds(10)) }
  }

  private func isRunning(_ id: pid_t) -> Bool {
    let status = contents(of: "/proc/\(id)/stat").map { String(decoding: $0, as: UTF8.self) }
    return status.map { !$0.contains(") Z ") } ?? false
  }
}
