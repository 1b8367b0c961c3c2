internal import ChatModel
internal import Dispatch
internal import Executors
internal import PluginHost
internal import TerminalText
internal import Transport

/// The way to the cluster.
extension NATSSession {
  func greet(_ hello: Hello) {
    guard settings == nil else {
      return refuse(nil, ProtocolError(.invalid, "there was a hello already"))
    }
    guard hello.versions.contains(LineProtocol.version) else {
      refuse(
        nil, ProtocolError(.unsupported, "banter-nats speaks version \(LineProtocol.version) only"))
      host?.end()
      return
    }
    do throws(ProtocolError) {
      let settings = try SessionSettings(hello, language)
      self.settings = settings
      profile = hello.profile ?? profile
      if let user = settings.address?.user { profile.id = user }
      say(
        .welcome(
          Welcome(
            server: "banter-nats \(Self.version)", profile: profile,
            capabilities: capabilities(maximumEventBytes: EventCodec.maximumEventBytes))))
      guard let need = settings.need else { return connect() }
      say(.need(ref: need.rawValue, name: need.rawValue, isSecret: true))
    } catch {
      refuse(nil, error)
      host?.end()
    }
  }

  func take(secret: String) {
    guard settings?.need != nil else { return }
    settings?.take(secret)
    connect()
  }

  /// What a room of a cluster can do.
  func capabilities(maximumEventBytes: Int) -> Capabilities {
    var capabilities = Capabilities(
      history: .full, order: .total, removesDuplicates: true,
      maximumEventBytes: maximumEventBytes, presence: true)
    capabilities.maximumFileBytes = StoredFile.maximumBytes
    return capabilities
  }

  /// Tries until somebody is there.
  private func connect() {
    guard let settings, let address = settings.address, connecting == nil else { return }
    say(.state(.connecting))
    connecting = Task {
      while !Task.isCancelled {
        do throws(ClusterFault) {
          let connection = try await NATSConnection.make(to: address, as: settings.login) {
            [weak self] news in
            // In their order.
            guard let self else { return }
            executor.queue.async { self.assumeIsolated { $0.take(news) } }
          }
          requests = try ClusterRequests(connection)
          beConnected()
          return watchRooms()
        } catch {
          guard error.kind == .unavailable || error.kind == .timeout else {
            return giveUp(because: error.reason + (error.lacksIssuer ? missingIssuer(address) : ""))
          }
          tellPause(error.reason)
          try? await Task.sleep(for: .seconds(1))
        }
      }
    }
  }

  private func take(_ news: NATSConnection.News) {
    switch news {
    case .connected:
      // The rights may be others now.
      complaints = []
      beConnected()
    case .disconnected(let reason): beDisconnected(reason)
    case .complaint(let text):
      complaints = complaints.suffix(20) + [text]
      say(.log(level: "warning", message: text))
    case .closed(let reason):
      // What came before says more than that it is closed.
      giveUp(because: complaints.last ?? reason ?? "the cluster has ended the connection")
    }
  }

  private func beConnected() {
    isConnected = true
    pauseNotice?.cancel()
    pauseNotice = nil
    isPausing = false
    say(.state(.online))
    // What came meanwhile went past.
    for room in rooms.values {
      (room.isBehind, room.isDoubtful) = (true, room.stream != nil)
      catchUp(room)
    }
    for (ref, request) in joins { join(ref, request) }
    joins = []
  }

  private func beDisconnected(_ reason: String?) {
    isConnected = false
    guard pauseNotice == nil else { return }
    // Another server is there at once, as a rule.
    pauseNotice = Task {
      try? await Task.sleep(for: .seconds(2))
      guard !Task.isCancelled else { return }
      tellPause(reason ?? "the connection to the cluster is broken")
    }
  }

  /// Tells once that it takes long; ``endPause()`` tells that it is over.
  func tellPause(_ reason: String) {
    guard !isPausing else { return }
    isPausing = true
    let error = TransportError(
      .unreachable, path: settings?.address?.servers.joined(separator: ","),
      reason: reason)
    say(.state(.reconnecting(in: .seconds(1), reason: error)))
  }

  func endPause() {
    guard isPausing else { return }
    isPausing = false
    say(.state(.online))
  }

  private func missingIssuer(_ address: ClusterAddress) -> String {
    address.isSecure
      ? language.choose(
        "; the setting plugins.nats.issuers names a file with whom to trust",
        ". plugins.nats.issuers 설정으로 믿을 인증서 파일을 알려 주세요")
      : language.choose(
        "; the cluster wants TLS: write nats+tls://", ". TLS가 필요합니다. nats+tls://로 쓰세요")
  }

  private func giveUp(because reason: String) {
    let error = ProtocolError(.fatal, reason)
    for (ref, _) in joins { refuse(ref, error) }
    joins = []
    say(
      .state(
        .fatal(
          reason: TransportError(.refused, path: settings?.address?.servers.first, reason: reason))
      ))
  }
}
