internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport
internal import TransportSecurity

/// What a user and a shell are told of an error.
extension Banter {
  /// What is told of it, without `banter: ` before it.
  static func text(of error: any Error, _ language: Language) -> String {
    switch error {
    case let error as UsageError: language(error.text)
    case let error as TransportError: language(error.text)
    case let error as ExitError: language(error.text)
    case let error as OutputFailure: language(error.text)
    case let error as LogError: language(error.text)
    case let error as NewFileError: language(error.text)
    case let error as TLSError: error.description
    default: "\(error)"
    }
  }

  /// Its exit status, sysexits(3).
  static func exitStatus(of error: any Error) -> Int32 {
    switch error {
    case is UsageError: EX_USAGE
    case let error as TransportError: error.code.exitStatus
    case let error as ExitError: error.status
    case is OutputFailure: EX_IOERR
    case let error as LogError: error.code.exitStatus
    case let error as NewFileError: error.isMade ? EX_IOERR : EX_CANTCREAT
    case let error as TLSError: error.errorNumber == ENOENT ? EX_NOINPUT : EX_DATAERR
    default: EX_SOFTWARE
    }
  }
}

/// A failure that has its own exit status.
struct ExitError: Error {
  var status: Int32
  var text: LocalizedText
}
