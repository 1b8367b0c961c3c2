internal import Glibc

/// Three servers of NATS with JetStream on ports of this machine that only
/// they know, each in a folder of its own.
package final class NATSCluster: Sendable {
  package let folder = TemporaryFolder()
  package let ports: [Int]
  private let configuration: @Sendable (Int) -> String

  /// - Parameters:
  ///   - size: how many servers.
  ///   - extra: what their configuration has besides, such as accounts.
  package init(size: Int = 3, extra: String = "") async throws {
    let count = size * 2
    let free = await Program.run(
      "python3 -c "
        + quoted(
          "import socket; all = [socket.socket() for _ in range(\(count))]; "
            + "[s.bind(('127.0.0.1', 0)) for s in all]; "
            + "[print(s.getsockname()[1]) for s in all]"))
    let numbers = free.lines.compactMap { Int($0) }
    guard numbers.count == count else { throw RealServer.NotStarted(log: "no ports") }
    ports = Array(numbers.prefix(size))
    let inner = Array(numbers.suffix(size))
    let routes = inner.map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
    let (ports, path) = (ports, folder.path)
    let cluster = { @Sendable (index: Int) in
      "cluster { name: test, listen: \"127.0.0.1:\(inner[index])\", routes: [\(routes)] }"
    }
    configuration = { index in
      """
      server_name: n\(index)
      listen: "127.0.0.1:\(ports[index])"
      jetstream { store_dir: "\(path)/store\(index)" }
      \(size > 1 ? cluster(index) : "")
      \(extra)
      """
    }
    for index in 0..<size { try await start(index) }
  }

  /// All servers, for an address.
  package var servers: String { ports.map { "127.0.0.1:\($0)" }.joined(separator: ",") }

  package func address(of room: String, user: String = "") -> String {
    "nats://\(user.isEmpty ? "" : user + "@")\(servers)/\(room)"
  }

  /// Starts one of the servers, for the first time or again.
  /// - Parameter library: one that is preloaded.
  package func start(_ index: Int, preloading library: String = "") async throws {
    folder.write("server\(index).conf", configuration(index))
    let started = await Program.run(
      """
      cd \(quoted(folder.path))
      LD_PRELOAD=\(quoted(library)) setsid timeout \(isSoak ? 7_200 : 300) nats-server -c server\(index).conf </dev/null >log\(index) 2>&1 &
      echo $! >process\(index)
      until (exec 3<>/dev/tcp/127.0.0.1/\(ports[index])) 2>/dev/null; do
        kill -0 $! 2>/dev/null || exit 1
        sleep 0.02
      done
      """)
    guard started.status == 0 else {
      let log = String(decoding: folder.read("log\(index)") ?? [], as: UTF8.self)
      throw RealServer.NotStarted(log: log)
    }
  }

  /// Ends one of the servers, as if its machine had lost power with SIGKILL.
  package func stop(_ index: Int, _ signal: Int32 = SIGKILL) {
    let text = String(decoding: folder.read("process\(index)") ?? [], as: UTF8.self)
    // The group: `timeout` hands on no signal that it cannot catch.
    if let process = pid_t(text.split(separator: "\n").first ?? "") { kill(-process, signal) }
  }

  deinit { for index in ports.indices { stop(index) } }

  /// Makes what rooms need.
  package func prepare(
    _ options: String = "", user: String = "", password: String = ""
  ) async -> Outcome {
    await Program.run(
      "\(quoted(Program.products))/banter-nats init \(options) "
        + "\(quoted(address(of: "", user: user))) <<<\(quoted(password))")
  }
}
