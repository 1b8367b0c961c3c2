/// Why a photo cannot be sent without its place. Whoever tells it makes the
/// sentence.
package enum PlaceFailure: Error, Hashable, Sendable {
  /// A program that it needs is not there.
  case notInstalled(program: String)
  /// The system starts no program now, errno(3).
  case cannotStart(program: String, errorNumber: Int32)
  /// No copy of it can be made, errno(3).
  case notCopied(path: String, errorNumber: Int32)
  /// What else the file holds cannot be read, so that nobody knows.
  case unreadable
  /// The place is in it, and stays in it.
  case notRemovable
  /// It took longer than it may.
  case timedOut
}
