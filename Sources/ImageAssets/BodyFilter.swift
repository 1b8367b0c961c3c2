internal import ChatModel
internal import Synchronization

/// What a server sends: lets an image through to a file as far as it may be
/// large, and of everything else only so much go by as a server needs to say
/// that the image is somewhere else.
final class BodyFilter: Sendable {
  private static let otherLimitInBytes = 65_536

  private enum Kind {
    case unknown, image, other
  }

  private struct State {
    var kind = Kind.unknown
    var beginning: [UInt8] = []
    var count = 0
    var failure: ImageFailure?
  }

  /// Guarded: it is filled on another thread than it is asked on.
  private let state = Mutex(State())
  private let part: IncomingImage
  private let limitInBytes: Int

  init(into part: IncomingImage, limitInBytes: Int) {
    (self.part, self.limitInBytes) = (part, limitInBytes)
  }

  /// Why no more was taken; nil as long as there was no need to.
  var failure: ImageFailure? { state.withLock(\.failure) }

  /// - Returns: false when nothing more is wanted.
  func take(_ chunk: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      do throws(ImageFailure) {
        try take(chunk, &state)
        return true
      } catch {
        state.failure = error
        return false
      }
    }
  }

  private func take(_ chunk: UnsafeRawBufferPointer, _ state: inout State) throws(ImageFailure) {
    state.count += chunk.count
    guard state.count <= limitInBytes else { throw .tooLarge(limitInBytes: limitInBytes) }
    switch state.kind {
    case .image: return try part.write(chunk)
    case .other: break
    case .unknown:
      state.beginning += chunk
      guard state.beginning.count >= ImageType.beginningBytes else { return }
      if ImageType(beginning: state.beginning) != nil {
        state.kind = .image
        try part.write(state.beginning)
      } else {
        state.kind = .other
      }
      state.beginning = []
    }
    guard state.kind == .image || state.count <= Self.otherLimitInBytes else {
      throw .notAnImage
    }
  }

  /// To be called at the end.
  /// - Throws: that it was no image, or empty.
  func finish() throws(ImageFailure) {
    let (kind, count) = state.withLock { ($0.kind, $0.count) }
    guard count > 0 else { throw .empty }
    guard kind == .image else { throw .notAnImage }
  }
}
