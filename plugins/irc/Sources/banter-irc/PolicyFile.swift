internal import ChatModel
internal import Glibc
internal import IRC

/// Which hosts are called with TLS only, kept from one run to the next: a line
/// each, `host port milliseconds`.
struct PolicyFile {
  private let folder: String
  private var path: String { folder + "/transport-policies" }

  /// - Parameter home: the user's folder; nil where there is none.
  init?(home: String?) {
    guard let home, !home.isEmpty else { return nil }
    folder = home + "/.local/state/banter/irc"
  }

  /// What was kept; nothing where there is nothing that can be read.
  func read() -> [String: TransportPolicy] {
    var policies: [String: TransportPolicy] = [:]
    guard let file = fopen(path, "re") else { return [:] }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), file) != nil, policies.count < 1_000 {
      let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard words.count == 3, let port = Int(words[1]), (1...65_535).contains(port),
        let until = Int64(words[2])
      else { continue }
      policies[String(words[0])] = TransportPolicy(
        port: port, until: Timestamp(milliseconds: until))
    }
    return policies
  }

  /// Keeps, or forgets, one; what cannot be kept counts for this run only.
  func remember(_ host: String, _ policy: TransportPolicy?) {
    var policies = read()
    policies[host] = policy
    let text = policies.sorted { $0.key < $1.key }.map { host, policy in
      "\(host) \(policy.port) \(policy.until.milliseconds)\n"
    }.joined()
    makeFolders()
    let new = "\(path).\(getpid())"
    guard let file = fopen(new, "we") else { return }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten, rename(new, path) == 0 else {
      unlink(new)
      return
    }
  }

  private func makeFolders() {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      mkdir(path, 0o700)
    }
  }
}
