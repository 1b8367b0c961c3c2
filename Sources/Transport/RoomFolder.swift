internal import FileSystem
internal import Glibc

/// A folder in which every file `NAME.jsonl` is a room.
package struct RoomFolder: Sendable {
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The names of its rooms that are not hidden, sorted; at most 10,000.
  package var roomNames: [String] {
    guard let entries = FolderEntries(path) else { return [] }
    return entries.lazy.filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") }
      .map { String($0.dropLast(6)) }.prefix(10_000).sorted()
  }

  /// The file of the room of that name: the one whose name is spelled alike,
  /// else one whose name is the same in another normal form (Unicode Standard
  /// Annex 15), else one that is not there yet.
  package func file(ofRoom name: String) -> String {
    let file = "\(path)/\(name).jsonl"
    let mayBeSpelledOtherwise = name.utf8.contains { $0 >= 0x80 }
    guard mayBeSpelledOtherwise, access(file, F_OK) != 0,
      let other = roomNames.first(where: { $0 == name })
    else { return file }
    return "\(path)/\(other).jsonl"
  }
}
