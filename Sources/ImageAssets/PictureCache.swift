/// Pictures that were made, so that none is made twice for the same size; those
/// that were looked at longest ago go first. A few are made at once; the others
/// wait for their turn, and who has asked waits for nothing that comes by itself.
package actor PictureCache {
  private struct Key: Hashable {
    var file: ImageFile
    var renderer: ImageRenderer
  }

  private typealias Made = Result<Picture, ImageFailure>

  private let limitInBytes: Int
  private let sandbox: @Sendable () async throws(ImageFailure) -> Sandbox
  private var pictures: [Key: (picture: Picture, lastUse: UInt64)] = [:]
  private var sizeInBytes = 0
  private var uses: UInt64 = 0
  /// What cannot be made: the same fails as it did.
  private var failures: [Key: ImageFailure] = [:]
  /// Who waits for a picture that is being made.
  private var making: [Key: [CheckedContinuation<Made, Never>]] = [:]
  private var turns: PictureTurns<Key>

  private static let rememberedFailures = 1_024

  /// - Parameters:
  ///   - parallelCount: how many are made at once, one at least; of those that
  ///     nobody has asked for, one fewer where there are more.
  ///   - sandbox: asked before each is made; without an answer none is.
  package init(
    limitInBytes: Int = 16 << 20, parallelCount: Int = 2,
    sandbox: @escaping @Sendable () async throws(ImageFailure) -> Sandbox
  ) {
    (self.limitInBytes, self.sandbox) = (limitInBytes, sandbox)
    turns = PictureTurns(count: parallelCount)
  }

  /// The picture of a file, made where it is not there.
  ///
  /// What cannot be made is not tried again; what took too long only for one who
  /// has asked.
  /// - Parameter isAsked: whether somebody wants to see it now.
  package func picture(
    of file: ImageFile, by renderer: ImageRenderer, isAsked: Bool
  ) async -> Result<Picture, ImageFailure> {
    let key = Key(file: file, renderer: renderer)
    while making[key] != nil {
      if isAsked { turns.prefer(key) }
      let made = await withCheckedContinuation { making[key]?.append($0) }
      if made != .failure(.cancelled) { return made }
    }
    if let known = known(key, isAsked: isAsked) { return known }
    making[key] = []
    let made = await make(key, isAsked: isAsked)
    making.removeValue(forKey: key)?.forEach { $0.resume(returning: made) }
    return made
  }

  private func make(_ key: Key, isAsked: Bool) async -> Made {
    let wasAsked = await withCheckedContinuation { turns.wait(key, isAsked: isAsked, $0) }
    defer { turns.end(isAsked: wasAsked) }
    guard !Task.isCancelled else { return .failure(.cancelled) }
    let made: Made
    do throws(ImageFailure) {
      made = await key.renderer.render(key.file, in: try await sandbox())
    } catch {
      made = .failure(error)
    }
    switch made {
    case .success(let picture): keep(picture, as: key)
    case .failure where Task.isCancelled: return .failure(.cancelled)
    case .failure(let failure): note(failure, of: key)
    }
    return made
  }

  private func known(_ key: Key, isAsked: Bool) -> Made? {
    if let failure = failures[key], !isAsked || failure != .timedOut { return .failure(failure) }
    uses += 1
    pictures[key]?.lastUse = uses
    return (pictures[key]?.picture).map { .success($0) }
  }

  private func note(_ failure: ImageFailure, of key: Key) {
    guard failure == .undecodable || failure == .timedOut else { return }
    if failures.count >= Self.rememberedFailures { failures = [:] }
    failures[key] = failure
  }

  private func keep(_ picture: Picture, as key: Key) {
    failures[key] = nil
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
