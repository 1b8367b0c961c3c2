internal import COpenSSL

/// What OpenSSL has to say about a call that failed: a queue of each thread
/// (ERR_get_error(3)), which must be empty before a call and is taken after it.
struct OpenSSLErrors {
  /// The oldest first, which is the nearest to the cause.
  private let errors: [UInt]

  /// Empties the queue of this thread.
  static func clear() {
    ERR_clear_error()
  }

  /// Takes what is in the queue of this thread.
  static func take() -> OpenSSLErrors {
    var errors: [UInt] = []
    while case let error = ERR_get_error(), error != 0 { errors.append(error) }
    return OpenSSLErrors(errors: errors)
  }

  /// Whether one of the errors has this reason, of the library of this number.
  func contains(_ reason: Int32, of library: Int32) -> Bool {
    errors.contains {
      ERR_GET_REASON($0) == reason && ERR_GET_LIB($0) == library
    }
  }

  /// OpenSSL's words for the cause, such as `unsupported protocol`.
  var text: String {
    guard let error = errors.first, let reason = ERR_reason_error_string(error) else {
      return "unknown reason"
    }
    return String(cString: reason)
  }

  /// The error of a session in which these were found.
  var sessionError: TLSError {
    let known = Self.table.first { row in row.reasons.contains { contains($0, of: ERR_LIB_SSL) } }
    return known?.error
      ?? TLSError(.broken, "the secure connection has broken (\(text)); connect again")
  }

  /// Reasons that people can do something about (SSL_R_…, openssl/sslerr.h).
  private static let table: [(reasons: [Int32], error: TLSError)] = [
    ([SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST], .notTLS),
    (
      [
        SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW,
        SSL_R_NO_SHARED_CIPHER, SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE,
        SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY,
      ],
      TLSError(
        .noCommonVersion,
        "the two sides have no version of TLS (1.2 or 1.3) and no cipher in common; update the older"
      )
    ),
    (
      [
        SSL_R_TLSV1_ALERT_UNKNOWN_CA, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
        SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED,
        SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, SSL_R_TLSV1_ALERT_ACCESS_DENIED,
      ],
      TLSError(.refusedByPeer, "the other side does not accept this side's certificate")
    ),
    ([SSL_R_UNEXPECTED_EOF_WHILE_READING], .cutOff),
  ]
}
