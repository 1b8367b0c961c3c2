/// Pictures that were made, so that none is made twice for the same size; those
/// that were looked at longest ago go first.
package actor PictureCache {
  private struct Key: Hashable {
    var file: ImageFile
    var renderer: ImageRenderer
  }

  private let limitInBytes: Int
  private var pictures: [Key: (picture: Picture, lastUse: UInt64)] = [:]
  private var sizeInBytes = 0
  private var uses: UInt64 = 0

  package init(limitInBytes: Int = 16 << 20) {
    self.limitInBytes = limitInBytes
  }

  /// The picture of a file, made where it is not there.
  package func picture(
    of file: ImageFile, by renderer: ImageRenderer
  ) async -> Result<Picture, ImageFailure> {
    let key = Key(file: file, renderer: renderer)
    uses += 1
    if let known = pictures[key] {
      pictures[key]?.lastUse = uses
      return .success(known.picture)
    }
    let result = await renderer.render(file)
    if case .success(let picture) = result { keep(picture, as: key) }
    return result
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
