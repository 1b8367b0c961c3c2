/// Where Banter keeps things: the folders of the XDG Base Directory
/// Specification, each with `/banter` behind it.
package struct Folders: Sendable {
  package var config: String
  package var data: String
  package var state: String
  package var cache: String
  /// For sockets: gone after a log-out; the state folder where the system has
  /// no such place.
  package var runtime: String

  /// - Parameter home: what stands for `$HOME`. A variable that holds no
  ///   absolute path is passed over, as the specification asks.
  package init(environment: [String: String], home: String) {
    func folder(_ variable: String, _ otherwise: String) -> String {
      let value = environment[variable] ?? ""
      return (value.hasPrefix("/") ? value : "\(home)/\(otherwise)") + "/banter"
    }
    config = folder("XDG_CONFIG_HOME", ".config")
    data = folder("XDG_DATA_HOME", ".local/share")
    state = folder("XDG_STATE_HOME", ".local/state")
    cache = folder("XDG_CACHE_HOME", ".cache")
    let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
    self.runtime = runtime.hasPrefix("/") ? "\(runtime)/banter" : state
  }

  package var settingsFile: String { "\(config)/config.json" }
  package var rooms: String { "\(data)/rooms" }
  package var log: String { "\(state)/log.db" }
  /// Names and passwords for hubs, for their owner only.
  package var passwords: String { "\(config)/passwords" }
  /// Certificates of hubs that were trusted when they were first seen.
  package var trustedHosts: String { "\(state)/trusted-hosts" }
  /// Files that were fetched from rooms elsewhere.
  package var fetchedFiles: String { "\(cache)/files" }
  /// Copies of photos while they are being sent.
  package var outgoingFiles: String { "\(cache)/outgoing" }
  package var images: String { "\(cache)/images" }
  package var hubSocket: String { "\(runtime)/hub.socket" }
  package var inputHistory: String { "\(state)/history" }
}
