internal import Processes

/// What keeps a decoder away from everything but its own input and output.
package enum Sandbox: Hashable, Sendable {
  case none
  case bubblewrap

  /// Bubblewrap where it is there and the system lets it work.
  ///
  /// That it does not may be for a moment only; that it does is for good.
  package static func available(_ environment: [String: String]) async -> Sandbox {
    let question = ["prlimit", "--core=0"] + Sandbox.bubblewrap.arguments + ["true"]
    let answer = try? await ChildProcess.collect(
      question, environment: environment, within: .seconds(5), limit: 1 << 16)
    return answer?.status == 0 ? .bubblewrap : .none
  }

  /// Begins a command that is shut in; its status says whether there is such a
  /// program as a shell's does (env(1)), which bubblewrap's own does not.
  var arguments: [String] {
    guard self == .bubblewrap else { return [] }
    let folders = ["/usr", "/lib", "/lib64", "/bin"]
    return ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
      + folders.flatMap { ["--ro-bind-try", $0, $0] } + ["--", "env"]
  }
}
