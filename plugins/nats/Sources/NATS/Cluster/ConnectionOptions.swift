internal import CNATS
internal import Glibc

/// How libnats is to connect (natsOptions_Create); it copies what it is given.
struct ConnectionOptions: ~Copyable {
  let pointer: OpaquePointer

  /// Those of libnats itself.
  init() throws(ClusterFault) {
    var made: OpaquePointer?
    let status = natsOptions_Create(&made)
    guard status == NATS_OK, let made else { throw ClusterFault(status) }
    pointer = made
  }

  func set(_ address: ClusterAddress, _ login: ClusterLogin) throws(ClusterFault) {
    // libnats says no more than that it has failed.
    for path in login.paths where access(path, R_OK) != 0 {
      throw ClusterFault(.denied, "\(path): \(String(cString: strerror(errno)))")
    }
    try setServers(address)
    try setPatience()
    if address.isSecure { try setSecurity(login) }
    try setProof(login.proof)
  }

  deinit { natsOptions_Destroy(pointer) }

  private func setServers(_ address: ClusterAddress) throws(ClusterFault) {
    let scheme = address.isSecure ? "tls" : "nats"
    let urls = address.servers.map { strdup("\(scheme)://\($0)") }
    defer { urls.forEach { free($0) } }
    var pointers = urls.map { UnsafePointer($0) }
    try Self.check(natsOptions_SetServers(pointer, &pointers, Int32(clamping: pointers.count)))
    try Self.check(natsOptions_SetName(pointer, "banter"))
  }

  /// Tries again for ever, notices within seconds that a server has gone, and
  /// keeps nothing that waits longer than its sender does.
  private func setPatience() throws(ClusterFault) {
    try Self.check(natsOptions_SetMaxReconnect(pointer, -1))
    try Self.check(natsOptions_SetReconnectWait(pointer, 500))
    try Self.check(natsOptions_SetReconnectJitter(pointer, 250, 250))
    try Self.check(natsOptions_SetTimeout(pointer, 2_000))
    try Self.check(natsOptions_SetPingInterval(pointer, 2_000))
    try Self.check(natsOptions_SetMaxPingsOut(pointer, 2))
    try Self.check(natsOptions_SetFailRequestsOnDisconnect(pointer, false))
    // What is sent goes at once: people wait for it.
    try Self.check(natsOptions_SetSendAsap(pointer, true))
  }

  private func setSecurity(_ login: ClusterLogin) throws(ClusterFault) {
    try Self.check(natsOptions_SetSecure(pointer, true))
    if let issuers = login.issuers {
      try Self.check(natsOptions_LoadCATrustedCertificates(pointer, issuers))
    }
    if let certificate = login.certificate {
      try Self.check(
        natsOptions_LoadCertificatesChain(
          pointer, certificate, login.certificateKey ?? certificate))
    }
  }

  private func setProof(_ proof: ClusterLogin.Proof) throws(ClusterFault) {
    switch proof {
    case .none: break
    case .password(let user, let password):
      try Self.check(natsOptions_SetUserInfo(pointer, user, password))
    case .token(let token): try Self.check(natsOptions_SetToken(pointer, token))
    case .credentials(let path):
      try Self.check(natsOptions_SetUserCredentialsFromFiles(pointer, path, nil))
    case .key(let key, let path):
      try Self.check(natsOptions_SetNKeyFromSeed(pointer, key, path))
    }
  }

  /// Has `listener` told what becomes of the connection, and kept until it was
  /// told the end. Where there is to be none, it is let go of by hand.
  func tell(_ listener: NATSConnection.Listener) throws(ClusterFault) {
    let context = listener.keep()
    try Self.check(natsOptions_SetReconnectedCB(pointer, announceConnection, context))
    try Self.check(natsOptions_SetDisconnectedCB(pointer, announceBreak, context))
    try Self.check(natsOptions_SetClosedCB(pointer, announceEnd, context))
    try Self.check(natsOptions_SetErrorHandler(pointer, announceComplaint, context))
  }

  private static func check(_ status: natsStatus) throws(ClusterFault) {
    guard status == NATS_OK else { throw ClusterFault(status) }
  }
}

// What libnats calls, on threads of its own.

private func say(_ context: UnsafeMutableRawPointer?, _ news: NATSConnection.News) {
  listener(context)?.say(news)
}

private func listener(_ context: UnsafeMutableRawPointer?) -> NATSConnection.Listener? {
  context.map { Unmanaged<NATSConnection.Listener>.fromOpaque($0).takeUnretainedValue() }
}

private func announceConnection(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  say(context, .connected)
}

private func announceBreak(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  say(context, .disconnected(reason: lastError(connection)))
}

private func announceEnd(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  say(context, .closed(reason: lastError(connection)))
  listener(context)?.letGo()
}

private func announceComplaint(
  _ connection: OpaquePointer?, _: OpaquePointer?, _ status: natsStatus,
  _ context: UnsafeMutableRawPointer?
) {
  // Gaps are noticed by their numbers.
  guard status != NATS_SLOW_CONSUMER else { return }
  say(context, .complaint(lastError(connection) ?? ClusterFault(status).reason))
}

private func lastError(_ connection: OpaquePointer?) -> String? {
  guard let connection else { return nil }
  var text: UnsafePointer<CChar>?
  _ = natsConnection_GetLastError(connection, &text)
  return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
