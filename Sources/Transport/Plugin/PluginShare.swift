internal import Sockets
internal import TransportSecurity

/// A room's share of a plugin's line. Belongs to the plugin's queue.
final class PluginShare: LinkLine {
  private let link: PluginLink
  private let number: Int
  let prefix: String

  init(of link: PluginLink, _ tell: @escaping @Sendable (PluginLink.Word) -> Void) {
    self.link = link
    let number = link.assumeIsolated { $0.join(tell) }
    (self.number, prefix) = (number, "\(number)-")
  }

  var pendingBytes: Int { link.assumeIsolated { $0.pendingBytes } }
  var security: TLSSession? { nil }
  var awaitsAcceptance: Bool { false }

  /// What has come is told by itself.
  func takeIn(
    through buffer: ReadBuffer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(LineConnection.End) -> Bool {
    false
  }

  func say(_ request: Request, limitInBytes limit: Int) -> Bool {
    let number = number
    return link.assumeIsolated { $0.say(request, limitInBytes: limit, from: number) }
  }

  func flush() throws(LineConnection.End) {
    try link.assumeIsolated { link in
      Result { () throws(LineConnection.End) in try link.flush() }
    }.get()
  }

  func setReading(_ isWanted: Bool) {
    let number = number
    link.assumeIsolated { $0.setReading(isWanted, number) }
  }

  func setAsking(_ isAsking: Bool) {
    let number = number
    link.assumeIsolated { $0.setAsking(isAsking, number) }
  }

  func end(isLeaving: Bool) {
    let number = number
    link.assumeIsolated { $0.leave(number, isLeaving: isLeaving) }
  }
}

/// What is to be ended with a room's share, and tells why a plugin has ended.
struct PluginCarrier: LineCarrier {
  let link: PluginLink
  let process: PluginProcess

  /// Whether any of the rooms is asking the user: the plugin waits for the
  /// answer in all of them.
  var isAsking: Bool { link.assumeIsolated { $0.isAsking } }

  func end(within patience: Duration) async {
    await link.settle()
  }

  func reason(lastWords: String?) async -> TransportError? {
    TransportError(
      .unreachable, path: link.name, reason: await process.ending(lastWords: lastWords))
  }

  var log: String? { process.log }
}

/// Makes the way to a room of a plugin.
package struct PluginDialer: Dialer {
  package let link: PluginLink
  private let patience: Duration

  /// - Parameter patience: how long it may take to say something: it may have to
  ///   be read from a slow disk.
  package init(_ link: PluginLink, patience: Duration = .seconds(30)) {
    (self.link, self.patience) = (link, patience)
  }

  package var name: String { link.name }

  package func dial() async throws(TransportError) -> DialedLine {
    try await link.start()
    guard let process = await link.process else {
      throw TransportError(.unreachable, path: name, reason: "the plugin has ended at once")
    }
    return DialedLine(
      .share(of: link), carrier: PluginCarrier(link: link, process: process),
      patience: patience)
  }
}
