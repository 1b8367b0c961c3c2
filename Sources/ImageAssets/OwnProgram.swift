internal import Glibc
internal import Processes

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
