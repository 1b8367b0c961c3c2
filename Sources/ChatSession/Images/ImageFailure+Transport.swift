internal import ImageAssets
internal import Transport

extension ImageFailure {
  /// Why a room hands an image out no further: what passes is told apart from
  /// what lasts, so that it is tried again.
  /// - Parameters:
  ///   - room: what the room is called.
  ///   - limit: how large a file of it may be at most, in bytes.
  init(_ error: TransportError, room: String, limit: Int64) {
    switch error.code {
    case .invalid where error.path == nil: self = .notInRoom
    case .notFound, .invalid: self = .notAFile
    case .altered: self = .altered
    case .tooLarge: self = .tooLarge(limitInBytes: Int(limit))
    case .noSpace, .inputOutput: self = Self.notKept(error, room: room)
    default: self = error.code.isTransient ? .unreachable(host: room) : .refusedByRoom
    }
  }

  /// Only what this system says has a number: all else is the far side's own.
  private static func notKept(_ error: TransportError, room: String) -> ImageFailure {
    error.errorNumber.map { .notKept(errorNumber: $0) } ?? .unreachable(host: room)
  }
}
