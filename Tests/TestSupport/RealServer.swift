internal import Glibc

/// A server of IRC of a test's own, on a port of this machine that only it
/// knows, in a folder of its own.
package final class RealServer: Sendable {
  package let folder: TemporaryFolder
  private let command: String
  package let port: Int
  private let process: pid_t

  /// ngircd: IRC as it was in the 1990s.
  package static func ngircd() async throws -> RealServer {
    try await RealServer(
      "/usr/sbin/ngircd -n -f ngircd.conf",
      files: { port in
        [
          "ngircd.conf": """
          [Global]
          Name = irc.test
          Info = a test
          Listen = 127.0.0.1
          Ports = \(port)
          [Limits]
          MaxConnectionsIP = 0
          MaxPenaltyTime = 0
          [Options]
          DNS = no
          Ident = no
          PAM = no
          """
        ]
      })
  }

  /// - Parameters:
  ///   - command: starts the server in its folder, in the foreground.
  ///   - files: its files by name, for a port.
  package convenience init(_ command: String, files: (Int) -> [String: String]) async throws {
    let folder = TemporaryFolder()
    let free = await Program.run(
      "python3 -c "
        + quoted(
          "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
        ))
    guard let port = free.lines.first.flatMap({ Int($0) }) else { throw NotStarted(log: "no port") }
    for (name, text) in files(port) {
      if let slash = name.lastIndex(of: "/") { mkdir("\(folder.path)/\(name[..<slash])", 0o700) }
      folder.write(name, text)
    }
    try await self.init(command, in: folder, port)
  }

  /// The same server once more, after it was stopped.
  package convenience init(like other: RealServer) async throws {
    try await self.init(other.command, in: other.folder, other.port)
  }

  private init(_ command: String, in folder: TemporaryFolder, _ port: Int) async throws {
    (self.folder, self.command, self.port) = (folder, command, port)
    let started = await Program.run(
      """
      cd \(quoted(folder.path))
      setsid timeout 300 \(command) </dev/null >server.log 2>&1 &
      echo $!
      until (exec 3<>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do
        kill -0 $! 2>/dev/null || exit 1
        sleep 0.02
      done
      """)
    let log = String(decoding: folder.read("server.log") ?? [], as: UTF8.self)
    guard started.status == 0, let process = started.lines.first.flatMap({ pid_t($0) }) else {
      throw NotStarted(log: log)
    }
    self.process = process
  }

  /// Ends the server as if its machine had lost power.
  package func stop() { kill(-process, SIGKILL) }

  deinit { stop() }

  package struct NotStarted: Error {
    package var log: String
  }
}
