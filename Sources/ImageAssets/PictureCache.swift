/// Pictures that were made, so that none is made twice for the same size; those
/// that were looked at longest ago go first. A few are made at once; the others
/// wait for their turn.
package actor PictureCache {
  private struct Key: Hashable {
    var file: ImageFile
    var renderer: ImageRenderer
  }

  private let limitInBytes: Int
  private var pictures: [Key: (picture: Picture, lastUse: UInt64)] = [:]
  private var sizeInBytes = 0
  private var uses: UInt64 = 0
  /// Who waits for a picture that is being made.
  private var making: [Key: [CheckedContinuation<Void, Never>]] = [:]
  /// How many more may be made now.
  private var freeCount: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameter parallelCount: how many are made at once, one at least.
  package init(limitInBytes: Int = 16 << 20, parallelCount: Int = 2) {
    self.limitInBytes = limitInBytes
    freeCount = max(1, parallelCount)
  }

  /// The picture of a file, made where it is not there.
  package func picture(
    of file: ImageFile, by renderer: ImageRenderer
  ) async -> Result<Picture, ImageFailure> {
    let key = Key(file: file, renderer: renderer)
    // Whoever wants the same waits for it, and makes it should it have failed.
    while making[key] != nil { await withCheckedContinuation { making[key]?.append($0) } }
    if let known = known(key) { return .success(known) }
    making[key] = []
    defer { making.removeValue(forKey: key)?.forEach { $0.resume() } }
    await takeTurn()
    defer { endTurn() }
    guard !Task.isCancelled else { return .failure(.cancelled) }
    let result = await renderer.render(file)
    if case .success(let picture) = result { keep(picture, as: key) }
    return result
  }

  private func known(_ key: Key) -> Picture? {
    uses += 1
    pictures[key]?.lastUse = uses
    return pictures[key]?.picture
  }

  private func takeTurn() async {
    guard freeCount == 0 else { return freeCount -= 1 }
    await withCheckedContinuation { waiters.append($0) }
  }

  private func endTurn() {
    guard !waiters.isEmpty else { return freeCount += 1 }
    waiters.removeFirst().resume()
  }

  private func keep(_ picture: Picture, as key: Key) {
    guard picture.sizeInBytes <= limitInBytes, pictures[key] == nil else { return }
    pictures[key] = (picture, uses)
    sizeInBytes += picture.sizeInBytes
    while sizeInBytes > limitInBytes,
      let oldest = pictures.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      sizeInBytes -= oldest.value.picture.sizeInBytes
      pictures[oldest.key] = nil
    }
  }
}
