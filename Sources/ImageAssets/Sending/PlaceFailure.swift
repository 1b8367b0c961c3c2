/// Why a photo or film cannot be sent without what it tells besides. Whoever
/// tells it makes the sentence.
package enum PlaceFailure: Error, Hashable, Sendable {
  /// No copy of it can be made, errno(3).
  case notCopied(path: String, errorNumber: Int32)
  /// It cannot be read, errno(3), and so nobody knows what it tells.
  case notRead(errorNumber: Int32)
  /// It is larger than what can be looked at.
  case tooLarge(limitInBytes: Int)
  /// It begins as a photo or film and does not go on as one.
  case unreadable
  /// Of files of its kind not all parts are known.
  case unknownKind
}
