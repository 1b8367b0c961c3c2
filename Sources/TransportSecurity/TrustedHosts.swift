internal import Glibc

/// The certificates that somebody has decided to trust when they were first
/// seen: a file with a line `host:port sha256:FINGERPRINT` each, as ssh's
/// known_hosts is.
///
/// Lines that say something else, such as comments, stay as they are. Any
/// number of programs may add to the file at once.
package struct TrustedHosts: Sendable {
  /// What the file says about a certificate.
  package enum Answer: Hashable, Sendable {
    /// Nothing about this host and port.
    case unknown
    /// It is the one that is trusted.
    case same
    /// Another one is trusted, with this fingerprint.
    case changed(old: String)
  }

  private static let algorithm = "sha256:"

  package let path: String

  /// - Parameter path: the file; it need not be there, nor its folder.
  package init(path: String) {
    self.path = path
  }

  /// What is known about the certificate of a host.
  /// - Parameter fingerprint: as ``TLSSession/peerFingerprint`` gives it.
  /// - Throws: ``TLSError`` where the file is there and cannot be read: then
  ///   nobody knows whether the certificate has changed.
  package func lookUp(
    host: String, port: UInt16, fingerprint: String
  ) throws(TLSError) -> Answer {
    let name = Self.name(host, port)
    let known = try lines().compactMap { Self.fingerprint(in: $0, of: name) }
    guard let last = known.last else { return .unknown }
    return last == fingerprint ? .same : .changed(old: last)
  }

  /// Writes that a certificate is trusted from now on, in place of one that
  /// was trusted before.
  ///
  /// Waits for other programs that write, for 5 s at most.
  /// - Throws: ``TLSError`` where the file or its folder cannot be written.
  package func trust(host: String, port: UInt16, fingerprint: String) throws(TLSError) {
    try replace(Self.name(host, port), by: fingerprint)
  }

  /// Writes that no certificate of a host is trusted any more; fails as
  /// ``trust(host:port:fingerprint:)`` does.
  package func forget(host: String, port: UInt16) throws(TLSError) {
    try replace(Self.name(host, port), by: nil)
  }

  private func replace(_ name: String, by fingerprint: String?) throws(TLSError) {
    let file = try LockedFile(path)
    var lines = try lines().filter { Self.fingerprint(in: $0, of: name) == nil }
    if let fingerprint { lines.append("\(name) \(Self.algorithm)\(fingerprint)") }
    try file.replace(lines.map { $0 + "\n" }.joined())
  }

  // MARK: Lines

  private func lines() throws(TLSError) -> [String] {
    let text = String(decoding: try LockedFile.contents(of: path), as: UTF8.self)
    return text.split { $0.isNewline }.map(String.init)
  }

  /// `host:port`, in small letters, with brackets around an IPv6 address.
  private static func name(_ host: String, _ port: UInt16) -> String {
    let host = host.lowercased()
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The fingerprint that a line has for a host; nil for a line about another.
  private static func fingerprint(in line: String, of name: String) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, words[0] == name, words[1].hasPrefix(algorithm) else { return nil }
    // Whatever it is, it is shown to people when it does not match.
    return words[1].dropFirst(algorithm.count).uppercased().filter {
      $0 == ":" || ($0.isASCII && $0.isHexDigit)
    }
  }
}
