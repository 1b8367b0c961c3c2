internal import Glibc
internal import Processes

/// What keeps a decoder away from everything but its own input and output.
package enum Sandbox: Hashable, Sendable {
  case none
  case bubblewrap

  /// Bubblewrap where it is there and the system lets it work: it is asked to start
  /// a program that does nothing.
  /// - Parameter seconds: how long it may take.
  /// - Throws: where that cannot be found out now. Only what bubblewrap itself
  ///   refuses means that there is no sandbox.
  package static func available(
    _ environment: [String: String], seconds: Int = 10
  ) async throws(ImageFailure) -> Sandbox {
    guard let errors = ErrorOutput() else { throw cannotStart(errno) }
    let question =
      ["prlimit", "--core=0"] + Sandbox.bubblewrap.arguments() + ["/usr/bin/env", "-i"]
    let status: Int32
    do {
      status = try await ChildProcess.collect(
        question, environment: ["PATH": environment["PATH"] ?? "", "LC_ALL": "C"],
        error: .kept(errors), within: .seconds(seconds), limit: 1 << 16
      ).status
    } catch {
      if error.errorNumber == ENOENT { return .none }
      throw cannotStart(error.errorNumber)
    }
    switch status {
    case 0: return .bubblewrap
    case ChildProcess.timedOutStatus: throw cannotStart(ETIMEDOUT)
    // A signal, which nobody refuses by.
    case 128...: throw cannotStart(ECANCELED)
    default: break
    }
    let report = errors.text
    if let shortage = shortages.first(where: { report.contains($0.text) }) {
      throw cannotStart(shortage.number)
    }
    return .none
  }

  /// What passes, as bubblewrap says it in English.
  private static let shortages: [(text: String, number: Int32)] = [
    ("Resource temporarily unavailable", EAGAIN), ("Too many open files", EMFILE),
    ("Cannot allocate memory", ENOMEM),
  ]

  private static func cannotStart(_ number: Int32) -> ImageFailure {
    .cannotStart(program: "bwrap", errorNumber: number)
  }

  /// What is there of the system.
  static let folders = ["/usr", "/lib", "/lib64", "/bin"]

  /// Begins a command that is shut in and may write no file; its status says
  /// whether there is such a program as a shell's does (prlimit(1)), which
  /// bubblewrap's own does not.
  /// - Parameters:
  ///   - program: what of its own it may read beside the system.
  ///   - input: the path at which it finds a copy of its standard input, which it
  ///     does not have otherwise.
  func arguments(for program: OwnProgram? = nil, input: String? = nil) -> [String] {
    guard self == .bubblewrap else { return [] }
    var words = ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    words += Self.folders.flatMap { ["--ro-bind-try", $0, $0] }
    words += (program?.files ?? []).flatMap { ["--ro-bind", $0, $0] }
    if let link = program?.link { words += ["--symlink", link.target, link.path] }
    if let input { words += ["--ro-bind-data", "0", input] }
    return words + ["--", "/usr/bin/prlimit", "--fsize=0"]
  }
}
