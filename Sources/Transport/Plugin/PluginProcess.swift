internal import Dispatch
internal import Glibc
internal import Processes
internal import Sockets

/// A running plugin. It has no terminal, ends with its standard input, and is
/// ended when Banter is killed.
final class PluginProcess: Sendable {
  private let child: ChildProcess
  private let errors: ErrorOutput
  private let exit: Task<Int32, Never>

  /// Starts it.
  /// - Parameters:
  ///   - onReadable, onWritable: see ``DescriptorStream``.
  /// - Returns: the process, and the line to its standard input and output.
  static func start(
    _ program: PluginProgram, environment: [String: String], queue: DispatchQueue,
    onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
  ) throws(TransportError) -> (PluginProcess, LineConnection) {
    guard let line = SocketPair() else { throw .system(EMFILE, path: program.path) }
    defer { line.closeChildEnd() }
    do throws(TransportError) {
      let process = try PluginProcess(program, line, environment: environment)
      let stream = DescriptorStream(
        reading: line.ownEnd, writing: line.ownEnd, queue: queue, onReadable: onReadable,
        onWritable: onWritable)
      return (
        process, LineConnection(stream, maximumLineBytes: LineProtocol.maximumLineBytes)
      )
    } catch {
      line.closeOwnEnd()
      throw error
    }
  }

  private init(
    _ program: PluginProgram, _ line: SocketPair, environment: [String: String]
  ) throws(TransportError) {
    guard let errors = ErrorOutput() else { throw .system(EMFILE, path: program.path) }
    do throws(ChildProcessError) {
      child = try ChildProcess(
        [program.path], environment: PluginProgram.environment(of: environment),
        input: .descriptor(line.childEnd), output: .descriptor(line.childEnd),
        error: .kept(errors), session: .own)
    } catch {
      let advice = error.errorNumber == EACCES ? "; chmod +x it, if it is to be trusted" : ""
      throw TransportError(
        .notInstalled, errorNumber: error.errorNumber, path: program.path,
        reason: "it cannot be started: \(error.reason)\(advice)")
    }
    self.errors = errors
    exit = Task { [child] in
      let guardian = ProcessGuard(child)
      let status = await child.waitUntilExit()
      await guardian?.end()
      return status
    }
  }

  /// The last of what it has written to its standard error.
  var log: String { errors.text }

  /// Returns when it has ended; it is ended when it has not done so in time.
  func end(within patience: Duration) async {
    let deadline = Task { [child] in
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { child.end() }
    }
    _ = await exit.value
    deadline.cancel()
  }

  /// Why it has ended, which is waited for.
  /// - Parameter lastWords: what it printed last that was not the protocol.
  func ending(lastWords: String?) async -> String {
    let status = await exit.value
    let lines = errors.text.split { $0.isNewline }
    let words = lines.last { $0.contains { !$0.isWhitespace } }.map(String.init) ?? lastWords
    let how =
      switch status {
      case 0: "the plugin has ended"
      case 129...: "the plugin was ended by signal \(status - 128)"
      default: "the plugin ended with status \(status)"
      }
    return words.map { "\(how); it said: \($0.prefix(300))" } ?? how
  }
}
