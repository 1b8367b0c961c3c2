/// What both sides of the line protocol go by: one JSON object a line, UTF-8,
/// whatever carries it.
///
/// The host asks (``Request``), the far side, a hub or a plugin, answers
/// (``Answer``).
package enum LineProtocol {
  package static let version: Int64 = 1
  /// What a line may be long at most, without its newline.
  package static let maximumLineBytes = 1024 * 1024
  /// What a chunk of a file may hold at most, before base64.
  package static let maximumChunkBytes = 64 * 1024
  /// About how much the events of one page may take together, encoded.
  package static let pageBytes = 448 * 1024
  /// How often a side that hears nothing asks whether the other is there, and
  /// when it gives the other up.
  package static let pingInterval = Duration.seconds(10)
  package static let silenceLimit = Duration.seconds(25)
}
