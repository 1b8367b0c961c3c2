internal import Glibc
internal import Processes

/// What keeps a decoder away from everything but its own input and output.
package enum Sandbox: Hashable, Sendable {
  case none
  case bubblewrap

  /// Bubblewrap where it is there and the system lets it work.
  ///
  /// That it does not may be for a moment only; that it does is for good.
  package static func available(_ environment: [String: String]) async -> Sandbox {
    let question = ["prlimit", "--core=0"] + Sandbox.bubblewrap.arguments()
    let answer = try? await ChildProcess.collect(
      question, environment: environment, within: .seconds(5), limit: 1 << 16)
    return answer?.status == 0 ? .bubblewrap : .none
  }

  /// What is there of the system.
  static let folders = ["/usr", "/lib", "/lib64", "/bin"]

  /// Begins a command that is shut in; its status says whether there is such a
  /// program as a shell's does (env(1)), which bubblewrap's own does not.
  /// - Parameter program: what of its own it may read beside the system.
  func arguments(for program: OwnProgram? = nil) -> [String] {
    guard self == .bubblewrap else { return [] }
    return ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
      + Self.folders.flatMap { ["--ro-bind-try", $0, $0] }
      + (program?.files ?? []).flatMap { ["--ro-bind", $0, $0] }
      + (program?.link.map { ["--symlink", $0.target, $0.path] } ?? []) + ["--", "/usr/bin/env"]
  }
}

/// A program that is not the system's, such as `~/.local/bin/chafa`, as a sandbox
/// has to know it.
struct OwnProgram {
  /// Itself, and the libraries that it is linked with.
  var files: [String]
  /// Where it is found, if that leads elsewhere.
  var link: (path: String, target: String)?

  /// - Returns: nil where it is the system's, or is not there.
  static func find(_ name: String, _ environment: [String: String]) async -> OwnProgram? {
    let paths = (environment["PATH"] ?? "").split(separator: ":").map { String($0) + "/" + name }
    let path = paths.first { access($0, X_OK) == 0 }
    guard let path, path.hasPrefix("/"), let place = realpath(path, nil) else { return nil }
    defer { free(place) }
    let target = String(cString: place)
    guard !isOfSystem(path) || !isOfSystem(target) else { return nil }
    return OwnProgram(
      files: [target].filter { !isOfSystem($0) } + (await libraries(of: target, environment)),
      link: path == target || isOfSystem(path) ? nil : (path, target))
  }

  private static func isOfSystem(_ path: String) -> Bool {
    Sandbox.folders.contains { path.hasPrefix($0 + "/") }
  }

  /// As the loader finds them (ldd(1)); of a script there are none.
  private static func libraries(
    of path: String, _ environment: [String: String]
  ) async -> [String] {
    let answer = try? await ChildProcess.collect(
      ["ldd", path], environment: environment, within: .seconds(5), limit: 1 << 16)
    let words = String(decoding: answer?.output ?? [], as: UTF8.self).split(
      whereSeparator: \.isWhitespace)
    return words.map(String.init).filter { $0.hasPrefix("/") && !isOfSystem($0) }
  }
}
