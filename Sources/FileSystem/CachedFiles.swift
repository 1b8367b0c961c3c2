internal import Glibc

/// Files that can be had again, of which those that were not used for the longest
/// time are removed when there is too much.
package struct CachedFiles {
  private struct Entry {
    var path: String
    var sizeInBytes: Int64
    var usedAt: timespec
  }

  private var entries: [Entry] = []

  package init() {}

  /// Adds a file; what is no regular one is passed over.
  package mutating func add(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    entries.append(
      Entry(path: path, sizeInBytes: Int64(status.st_size), usedAt: status.st_atim))
  }

  /// Removes files until the limits are kept.
  /// - Parameter kept: the path of one that stays.
  package func makeRoom(
    limitInBytes: Int64, limitInFiles: Int = .max, besides kept: String
  ) {
    var total = entries.reduce(0) { $0 + $1.sizeInBytes }
    var count = entries.count
    let oldestFirst = entries.sorted {
      ($0.usedAt.tv_sec, $0.usedAt.tv_nsec) < ($1.usedAt.tv_sec, $1.usedAt.tv_nsec)
    }
    for entry in oldestFirst where total > limitInBytes || count > limitInFiles {
      guard entry.path != kept else { continue }
      unlink(entry.path)
      total -= entry.sizeInBytes
      count -= 1
    }
  }
}
