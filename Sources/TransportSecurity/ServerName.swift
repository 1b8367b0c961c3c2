internal import COpenSSL
internal import Glibc

/// The host that a client wants to reach, as certificates name it.
struct ServerName {
  /// Without the dot at its end, and without the zone of an IPv6 address.
  let text: String
  private let isAddress: Bool

  /// - Throws: ``TLSError`` for an empty name, with which OpenSSL would compare
  ///   no name at all (SSL_set1_host(3)), and for one that C would cut.
  init(_ host: String) throws(TLSError) {
    var host = host[...]
    if host.utf8.contains(UInt8(ascii: ":")), let zone = host.firstIndex(of: "%") {
      host = host[..<zone]
    }
    if host.hasSuffix(".") { host.removeLast() }
    guard !host.isEmpty, host.utf8.count <= 255,
      host.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
    else {
      throw TLSError(
        .invalidHost,
        "the name of the host is empty, or has characters that no host's name has; write a name "
          + "in another script as xn--…")
    }
    text = String(host)
    var address = in6_addr()
    isAddress = inet_pton(AF_INET6, text, &address) == 1 || inet_pton(AF_INET, text, &address) == 1
  }

  /// Tells a session whom to ask for (addresses are not sent, RFC 6066, section
  /// 3), and whose certificate to expect.
  func apply(to session: OpaquePointer) {
    let result: Int32
    if isAddress {
      result = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), text)
    } else {
      SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      result = SSL_set1_host(session, text) & copenssl_set_server_name(session, text)
    }
    // Without it, any certificate would do.
    precondition(result == 1, "there is no memory left for TLS")
  }
}
