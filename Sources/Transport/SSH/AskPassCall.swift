internal import CPosix
internal import Glibc

/// What Banter does when ssh starts it as its `SSH_ASKPASS`: it hands the
/// question over to the Banter that has started ssh, and prints the answer.
package enum AskPassCall {
  /// The variable of the environment that names the ``AskPassSocket``.
  package static let variable = "BANTER_ASKPASS"
  private static let answerLimitInBytes = 65_536

  /// - Parameters:
  ///   - question: the program's only argument.
  ///   - hint: the value of `SSH_ASKPASS_PROMPT`.
  /// - Returns: the exit status: 0 with an answer, else 1.
  package static func run(socket path: String, question: String, hint: String) -> Int32 {
    let socket = posix_stream_socket(AF_UNIX)
    guard socket >= 0, posix_connect_unix(socket, path) == 0 else { return 1 }
    _ = fcntl(socket, F_SETFL, 0)
    let text = question.utf8.prefix(8_192).filter { $0 != 0 }
    guard writeAll(Array("\(hint)\n".utf8) + text + [0], to: socket) else { return 1 }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while answer.count < answerLimitInBytes {
      let count = read(socket, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      answer += chunk.prefix(count)
    }
    guard answer.first == UInt8(ascii: "=") else { return 1 }
    // Who confirms says so by the exit status (ssh-add(1), "-c").
    if hint == "confirm", String(decoding: answer, as: UTF8.self) != "=yes" { return 1 }
    return writeAll(answer.dropFirst() + [0x0A], to: STDOUT_FILENO) ? 0 : 1
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
