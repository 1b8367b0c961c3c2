/// The files that one connection brings and fetches.
struct ClientTransfers {
  /// A file that is being brought.
  struct Upload {
    let number: Int
    let ref: String
    let sizeInBytes: Int64
    /// On which tick something of it came last.
    var tick: Int
  }

  /// A file that is being fetched.
  struct Download {
    let number: Int
    let ref: String
    /// Whether the disk is being asked.
    var isReading = true
    /// On which tick something of it went out last.
    var tick: Int
  }

  var upload: Upload?
  var downloads: [Download] = []
  /// The last file whose parts may still come although it has ended.
  var endedRef: String?
  /// How much of what came waits for the disk, as it came.
  var waitingBytes = 0

  func download(_ number: Int) -> Int? {
    downloads.firstIndex { $0.number == number }
  }
}
