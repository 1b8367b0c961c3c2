internal import CPosix
internal import Glibc
internal import Processes
internal import Sockets
internal import Synchronization

/// Calls a `banter serve --stdio` at another machine, over ssh(1).
package struct SSHDialer: Dialer {
  package let address: SSHAddress
  private let environment: [String: String]
  private let questions: Questions?
  private let program: String

  /// Who answers ssh's questions, and how they come in.
  package struct Questions: Sendable {
    package var questioner: any Questioner
    /// A folder of the user's own, for the socket.
    package var folder: String
    /// The program that ssh starts to ask: this one.
    package var program: String

    package init(questioner: any Questioner, folder: String, program: String) {
      (self.questioner, self.folder, self.program) = (questioner, folder, program)
    }
  }

  /// - Parameters:
  ///   - questions: nil where nobody can be asked: what ssh would have to ask
  ///     for then fails.
  ///   - program: ssh(1), or what stands in for it.
  package init(
    _ address: SSHAddress, environment: [String: String], questions: Questions?,
    program: String = "ssh"
  ) {
    self.address = address
    self.environment = environment
    self.questions = questions
    self.program = program
  }

  package var name: String { address.destination }

  /// How long it may take until the far side says something: ssh has names to
  /// look up, and perhaps other hosts to go over.
  private static let patience = Duration.seconds(60)

  package func dial() async throws(TransportError) -> DialedLine {
    let events = SSHProcess.Events()
    let socket = try await socket(telling: events)
    do throws(TransportError) {
      return try start(socket, events)
    } catch {
      await socket?.close()
      throw error
    }
  }

  private func socket(telling events: SSHProcess.Events) async throws(TransportError)
    -> AskPassSocket?
  {
    guard let questions else { return nil }
    guard posix_make_private_folder(questions.folder) == 0 else {
      throw .creating(errno, path: questions.folder)
    }
    let socket = AskPassSocket(
      at: "\(questions.folder)/ask-\(getpid())-\(Self.takeNumber()).socket",
      asker: "ssh \(name)", questioner: questions.questioner,
      onAsking: { events.openQuestionCount = $0 }, onRefusal: { events.refuse() })
    try await socket.open()
    return socket
  }

  /// Tells the sockets of this process apart.
  private static func takeNumber() -> Int {
    numbers.withLock { number in
      number += 1
      return number
    }
  }

  private static let numbers = Mutex(0)

  private func start(
    _ socket: AskPassSocket?, _ events: SSHProcess.Events
  ) throws(TransportError) -> DialedLine {
    guard let line = SocketPair() else { throw .system(EMFILE, path: name) }
    defer { line.closeChildEnd() }
    guard let errors = ErrorOutput() else {
      line.closeOwnEnd()
      throw .system(EMFILE, path: name)
    }
    do throws(ChildProcessError) {
      let child = try ChildProcess(
        [program] + address.arguments(asks: socket != nil),
        environment: environment(asking: socket),
        input: .descriptor(line.childEnd), output: .descriptor(line.childEnd),
        error: .kept(errors), session: .own)
      return DialedLine(
        .descriptors(reading: line.ownEnd, writing: line.ownEnd),
        carrier: SSHProcess(child, errors, socket, host: name, events), patience: Self.patience)
    } catch {
      line.closeOwnEnd()
      let reason = "\(error.reason); install it (openssh-client)"
      throw TransportError(
        .notInstalled, errorNumber: error.errorNumber, path: error.program, reason: reason)
    }
  }

  /// Since 8.4 ssh needs no `DISPLAY` to ask that way.
  private func environment(asking socket: AskPassSocket?) -> [String: String] {
    guard let socket, let questions else { return environment }
    return environment.merging([
      "SSH_ASKPASS": questions.program, "SSH_ASKPASS_REQUIRE": "force",
      AskPassCall.variable: socket.path,
    ]) { $1 }
  }
}
