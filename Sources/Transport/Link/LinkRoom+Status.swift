internal import Sockets
internal import TransportSecurity

extension LinkRoom {
  /// See ``Transport/connectionFacts()``.
  package func connectionFacts() -> ConnectionFacts? {
    guard case .live = stage, !isOnItsWay, let connection else { return nil }
    var facts = ConnectionFacts(address: dialer.name, identity: identity)
    facts.log = carrier?.log
    guard let session = connection.security else { return facts }
    let isVouchedFor = session.peerVerification == .trusted
    facts.certificate =
      isVouchedFor ? .vouchedFor : .firstSight(fingerprint: session.peerFingerprint ?? "")
    return facts
  }
}
