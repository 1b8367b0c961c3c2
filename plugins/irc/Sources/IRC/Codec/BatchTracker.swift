/// Lines of a server that belong together (IRCv3 batch): they are kept until
/// their batch ends, and handed on as one.
///
/// Bounded, whatever the server says: a batch that is never closed, or too
/// large, is handed on as far as it came.
package struct BatchTracker {
  package struct Batch {
    package var reference: String
    package var type: String
    package var parameters: [String]
    /// The line that opened it.
    package var opening: [UInt8]
    package var items: [Item] = []
    fileprivate var parent: String?
    fileprivate var sizeInBytes = 0
    fileprivate var openedAt: Duration
  }

  package enum Item {
    case line([UInt8])
    case batch(Batch)
  }

  private static let openLimit = 64
  private static let sizeLimit = 32 * 1024 * 1024
  private static let patience = Duration.seconds(60)

  private var open: [String: Batch] = [:]
  /// Of all that are open.
  private var sizeInBytes = 0

  package init() {}

  package var isEmpty: Bool { open.isEmpty }

  /// When one that was not closed is to be taken; nil where none is open.
  package var deadline: Duration? {
    open.values.map(\.openedAt).min().map { $0 + Self.patience }
  }

  /// Keeps a line of an open batch.
  /// - Returns: whether it was kept; else it belongs to no batch.
  package mutating func keep(_ line: UnsafeRawBufferPointer, in reference: String) -> Bool {
    guard open[reference] != nil else { return false }
    // In place: of two who hold the list, the first to add would copy it.
    open[reference]?.items.append(.line(Array(line)))
    open[reference]?.sizeInBytes += line.count + 32
    sizeInBytes += line.count + 32
    return true
  }

  /// Whether so much is kept that all batches are to be ended.
  package var isFull: Bool { sizeInBytes > Self.sizeLimit }

  /// Opens a batch.
  /// - Parameter parent: of which batch the line that opens it is.
  /// - Returns: whether there is room for one more.
  package mutating func begin(
    _ reference: String, type: String, parameters: [String], opening: UnsafeRawBufferPointer,
    parent: String?, at now: Duration
  ) -> Bool {
    guard open[reference] == nil, open.count < Self.openLimit else { return false }
    let known = parent.flatMap { open[$0] == nil ? nil : $0 }
    var batch = Batch(
      reference: reference, type: type, parameters: parameters, opening: Array(opening),
      parent: known, openedAt: now)
    batch.sizeInBytes = opening.count + 32
    sizeInBytes += batch.sizeInBytes
    open[reference] = batch
    return true
  }

  /// Ends a batch.
  /// - Returns: what is to be handled now; nil where it waits for the batch
  ///   around it, or was never begun.
  package mutating func end(_ reference: String) -> Batch? {
    guard let batch = open.removeValue(forKey: reference) else { return nil }
    guard let parent = batch.parent, open[parent] != nil else {
      sizeInBytes -= batch.sizeInBytes
      return batch
    }
    open[parent]?.items.append(.batch(batch))
    open[parent]?.sizeInBytes += batch.sizeInBytes
    return nil
  }

  /// Ends those that have been open for too long, or all.
  package mutating func expire(at now: Duration?) -> [Batch] {
    let due = open.values.filter { batch in
      now.map { batch.openedAt + Self.patience <= $0 } ?? true
    }
    return due.sorted { $0.openedAt < $1.openedAt }.compactMap { end($0.reference) }
  }
}
