internal import Glibc

/// Ends a child and what it has started when this process is killed and can do
/// nothing about it any more.
///
/// A shell waits at a pipe that only this process holds open. PIDs come round
/// again only after millions of others, so it cannot meet another process.
package final class ProcessGuard: Sendable {
  private let shell: ChildProcess
  private let pipe: Pipe

  /// Nil when it cannot be had.
  /// - Parameter child: begun with a session of its own.
  package init?(_ child: ChildProcess) {
    guard let pipe = Pipe() else { return nil }
    let script = "read _; sleep 2; kill -TERM -$1; sleep 2; kill -KILL -$1"
    let shell = try? ChildProcess(
      ["/bin/sh", "-c", script, "sh", String(child.id)], environment: ["PATH": "/usr/bin:/bin"],
      input: .descriptor(pipe.readEnd), output: .null, error: .null, session: .own)
    pipe.closeReadEnd()
    guard let shell else {
      pipe.closeWriteEnd()
      return nil
    }
    (self.shell, self.pipe) = (shell, pipe)
  }

  /// To be called when the child has ended.
  package func end() async {
    shell.end()
    _ = await shell.waitUntilExit()
  }

  deinit { pipe.closeWriteEnd() }
}
