internal import Glibc

/// How ssh ended, and what that means.
struct SSHEnding {
  /// Its exit status: the far command's, or 255 for a failure of its own
  /// (ssh(1), "EXIT STATUS"); 128 and more for a signal.
  var status: Int32
  /// The last of its standard error, where the far command's is as well.
  var errors: String
  /// What the far side said last that was not the protocol.
  var lastWords: String?

  /// Why nothing comes from `host` any more.
  func error(from host: String) -> TransportError {
    let (code, reason) = meaning
    return TransportError(code, path: host, reason: String(reason.prefix(400)))
  }

  private var meaning: (TransportError.Code, String) {
    switch status {
    case 255: return failureOfSSH
    case 127:
      return (
        .notInstalled,
        "banter is not installed there, or not in the PATH of a login without a terminal"
      )
    case 126: return (.notInstalled, "the banter that is there cannot be run")
    case EX_USAGE:
      return (.notInstalled, "the banter that is there is too old; bring it up to date")
    case EX_NOINPUT, EX_CANTCREAT: return (.notFound, words ?? "there is no such room")
    case EX_NOPERM: return (.denied, words ?? "permission is missing there")
    case 0: return (.unreachable, "the far side hung up")
    case 129...: return (.unreachable, "ssh was ended by signal \(status - 128)")
    default: return (.unreachable, words ?? "ssh ended with status \(status)")
    }
  }

  private var failureOfSSH: (TransportError.Code, String) {
    if errors.contains("IDENTIFICATION HAS CHANGED") {
      return (
        .refused,
        "its host key has changed: somebody may be listening in; ask its owner, and take the old "
          + "key out with ssh-keygen -R"
      )
    }
    guard let words else { return (.unreachable, "ssh broke off") }
    if words.contains("Host key verification failed") {
      return (
        .refused, "its host key is not known; open the room at the prompt and compare the key"
      )
    }
    if words.contains("Permission denied") {
      return (.refused, "\(words); check the user's name, the key or the password")
    }
    return (.unreachable, words)
  }

  /// The last line that says something.
  private var words: String? {
    let lines = errors.split { $0.isNewline }.map {
      $0.trimmingPrefix("banter: ").trimmingPrefix("ssh: ")
    }
    let line = lines.last { $0.contains { !$0.isWhitespace } }.map(String.init)
    return line ?? lastWords
  }
}

extension TransportError.Code {
  /// There is no Banter at the other end that could be talked to.
  package static let notInstalled = Self(name: "notInstalled", exitStatus: 69, isTransient: false)
}
