import Glibc
import Testing

/// A real `banter serve` in a window of its own, gone with this object.
final class HubProgram {
  private let terminal: Terminal
  /// Nil once it has been ended.
  private var process: pid_t?
  /// The address at which it listens, with the port that the system chose.
  let address: String

  /// Starts it over the world's rooms, and waits until it listens.
  /// - Parameter prefix: of the command, to run it elsewhere.
  init(_ world: World, _ arguments: String, through prefix: String = "") async throws {
    terminal = try Terminal(
      world, columns: 200, script: "exec \(prefix) $banter serve data/banter/rooms \(arguments)")
    var found: String?
    try await terminal.expect { rows in
      found = rows.lazy.compactMap { $0.split(separator: "serving: ").last }.first {
        $0.contains("://")
      }.map(String.init)
      return found != nil
    }
    address = try #require(found)
    let process = terminal.process
    try #require(process > 1)
    self.process = process
  }

  // That its terminal hangs up tells a hub to read its accounts anew.
  deinit {
    if let process { Glibc.kill(process, SIGTERM) }
  }

  /// The address of a room.
  func room(_ name: String) -> String {
    address.hasPrefix("unix://") ? "\(address)?room=\(name)" : "\(address)/\(name)"
  }

  func kill(_ number: Int32) async throws {
    process = nil
    Glibc.kill(terminal.process, number)
    try await terminal.expectEnd(status: number == SIGKILL ? 128 + Int(number) : 0)
  }

  func signal(_ number: Int32) { Glibc.kill(terminal.process, number) }

  /// Waits until it has said something.
  func expect(_ part: String) async throws { try await terminal.expect(part) }
}

extension World {
  /// Makes a certificate for this machine and its key, cert.pem and key.pem.
  func makeCertificate(_ more: String = "-days 30") async throws {
    let made = await run(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
        + "-subj /CN=localhost -keyout key.pem -out cert.pem \(more) 2>&1; chmod 600 key.pem")
    try #require(made.status == 0, "\(made.text)")
  }
}
