internal import FileSystem

/// Brings the image of a source to this machine.
struct ImageLoader: Sendable {
  let cache: ImageDiskCache
  let web: WebFetch
  let limits: ImageLimits
  let storedFile: ImageLibrary.StoredFile

  /// Ends when its task is cancelled.
  func load(_ source: ImageSource) async -> Result<ImageFile, ImageFailure> {
    do throws(ImageFailure) {
      switch source {
      case .web(let address):
        return .success(
          try await cached(source) { part throws(ImageFailure) in
            try await web.fetch(address, into: part)
          })
      case .data(let address):
        return .success(
          try await cached(source) { part throws(ImageFailure) in
            try part.write(try DataAddress.bytes(of: address, limits: limits))
          })
      case .stored(let path, let sha256):
        return .success(try await stored(path, sha256: sha256))
      }
    } catch {
      if Task.isCancelled { return .failure(.cancelled) }
      // Only who cancels knows that; a room that says so has given up.
      return .failure(error == .cancelled ? .refusedByRoom : error)
    }
  }

  private func cached(
    _ source: ImageSource,
    _ fill: (IncomingImage) async throws(ImageFailure) -> Void
  ) async throws(ImageFailure) -> ImageFile {
    let key = source.key
    if let image = await cache.image(key, limits: limits) { return image }
    let part = try await cache.makePart()
    try await fill(part)
    return try await cache.keep(part, as: key, limits: limits)
  }

  private func stored(
    _ path: String, sha256: String?
  ) async throws(ImageFailure) -> ImageFile {
    guard Self.staysInFolder(path) else { throw .notInRoom }
    let fetched = await within(limits.roomTime) { [storedFile] in
      do {
        return Result<OpenFile, ImageFailure>.success(try await storedFile(path, sha256))
      } catch {
        return .failure(error as? ImageFailure ?? .refusedByRoom)
      }
    }
    guard let fetched else { throw .timedOut }
    return try await cache.image(of: try fetched.get(), limits: limits)
  }

  /// Whether a stored path cannot lead out of a folder, whatever the folder is.
  private static func staysInFolder(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return !path.utf8.contains(0)
      && parts.allSatisfy {
        !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8)
      }
  }
}
