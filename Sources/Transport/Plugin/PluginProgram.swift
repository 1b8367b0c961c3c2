internal import FileSystem
internal import Glibc

/// A program `banter-SCHEME` that speaks the line protocol on its standard
/// input and output.
package struct PluginProgram: Hashable, Sendable {
  package var scheme: String
  /// Its whole path.
  package var path: String

  package init(scheme: String, path: String) {
    (self.scheme, self.path) = (scheme, path)
  }

  /// Where plugins are looked for, in this order.
  package struct Folders: Sendable {
    private let folders: [String]

    /// - Parameters:
    ///   - data: Banter's data folder.
    ///   - program: the file of the `banter` that runs.
    package init(environment: [String: String], data: String, program: String) {
      let named = (environment["BANTER_PLUGIN_PATH"] ?? "").split(separator: ":").map(String.init)
      let own = Path.parent(of: program)
      folders = (named + ["\(data)/plugins", own, "\(own)/../libexec/banter"]).map(Path.absolute)
    }

    /// All that is called like a plugin for `scheme`, the one that is used first.
    package func programs(for scheme: String) -> [PluginProgram] {
      guard scheme.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != 0 }) else { return [] }
      return folders.map { PluginProgram(scheme: scheme, path: "\($0)/banter-\(scheme)") }
        .filter(\.isThere)
    }

    /// Everything that is called like a plugin, by scheme.
    package func all() -> [PluginProgram] {
      let schemes = Set(
        folders.flatMap { folder in
          (FolderEntries(folder).map(Array.init) ?? []).filter { $0.hasPrefix("banter-") }
            .map { String($0.dropFirst("banter-".count)) }
        })
      return schemes.sorted().flatMap(programs)
    }
  }

  /// What it is called in the settings: several schemes may be links to one
  /// program.
  package var name: String {
    String(Path.name(of: Path.resolved(path) ?? path).trimmingPrefix("banter-"))
  }

  private var isThere: Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether this user may run it (access(2)).
  package var isExecutable: Bool { access(path, X_OK) == 0 }

  /// What it is started with: where programs are, whose it is, and in what
  /// language to speak. Secrets go over the protocol only.
  package static func environment(of environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      ["PATH", "HOME", "LANG", "LANGUAGE", "TZ"].contains(name) || name.hasPrefix("LC_")
    }.merging(["BANTER_PLUGIN": "1"]) { $1 }
  }
}
