internal import Glibc

/// Looks for an event that was first sent long ago, in a part of a room's file
/// that may be large. Blocks; whoever waits for it does so on another queue.
package struct RepeatLookup: Sendable {
  /// What was found.
  package struct Answer: Sendable {
    /// The place behind the event; nil when the room has it not, up to `end`.
    package var place: Cursor?
    package var end: Cursor
  }

  private let path: String
  private let id: String
  private let since: Cursor

  package init(path: String, id: String, since: Cursor) {
    (self.path, self.id, self.since) = (path, id, since)
  }

  package func run() throws(TransportError) -> Answer {
    guard try FileStatus(ofPath: path) != nil else {
      return Answer(place: nil, end: FileCursor.start.cursor)
    }
    let file = try Descriptor.openFile(path, O_RDONLY)
    let (place, end) = try RepeatSearch.place(of: id, since: since, in: file)
    return Answer(place: place?.cursor, end: end.cursor)
  }
}
