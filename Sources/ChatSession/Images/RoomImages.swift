package import Archive
package import ChatModel
internal import ImageAssets
internal import Synchronization
package import TerminalText
internal import Transport

/// The images of rooms, to be embedded into a page: those of room files, and of
/// rooms elsewhere those that were fetched.
package final class RoomImages: Sendable {
  private let cache: FileCache
  private let language: Language
  private let left = Mutex<[LeftOutImage]>([])

  /// What one image may be large at most.
  private static let limit: Int64 = 5_000_000

  /// - Parameters:
  ///   - fetchedFiles: the folder of what was fetched from rooms elsewhere.
  ///   - language: what reasons are told in.
  package init(fetchedFiles: String, language: Language) {
    (cache, self.language) = (FileCache(folder: fetchedFiles), language)
  }

  /// Those that are not in the page, in the order in which they were asked for.
  package var leftOut: [LeftOutImage] { left.withLock(\.self) }

  /// An image of a room.
  /// - Parameter room: the address by which the log knows it.
  package func image(_ file: FileReference, of room: String) -> PageImage {
    do throws(TransportError) {
      let bytes: [UInt8]
      switch ImageSource(file.path) {
      case .web: return .named
      case .data: bytes = Self.bytes(inAddress: file.path)
      case .stored: bytes = try self.bytes(of: file, in: room)
      }
      guard let type = ImageType(beginning: bytes) else { return leave(out: file, .otherwise) }
      return .embedded(EmbeddedImage(bytes: bytes, mediaType: type.mediaType))
    } catch {
      return leave(out: file, Reason(error))
    }
  }

  private static func bytes(inAddress address: String) -> [UInt8] {
    var limits = ImageLimits()
    limits.fileBytes = Int(limit)
    return (try? DataAddress.bytes(of: address, limits: limits)) ?? []
  }

  private func bytes(
    of file: FileReference, in room: String
  ) throws(TransportError) -> [UInt8] {
    let prefix = "file://"
    guard room.hasPrefix(prefix) else {
      return try cache.contents(of: file.path, sha256: file.sha256, limit: Self.limit)
    }
    let files = RoomFiles(room: String(room.dropFirst(prefix.count)))
    return try files.contents(of: file.path, sha256: file.sha256, limit: Self.limit)
  }

  private func leave(out file: FileReference, _ reason: Reason) -> PageImage {
    let reason = language(reason.text)
    let name = file.name ?? fileName(ofPath: file.path) ?? file.path
    let image = LeftOutImage(name: name, sizeInBytes: file.sizeInBytes, reason: reason)
    left.withLock { $0.append(image) }
    return .leftOut(reason: reason)
  }

  private enum Reason {
    case tooLarge, altered, missing, otherwise

    init(_ error: TransportError) {
      self =
        switch error.code {
        case .tooLarge: .tooLarge
        case .altered: .altered
        case .notFound: .missing
        default: .otherwise
        }
    }

    var text: LocalizedText {
      switch self {
      case .tooLarge:
        LocalizedText(
          "larger than \(sizeText(RoomImages.limit))", "\(sizeText(RoomImages.limit))보다 큼")
      case .altered: LocalizedText("not what was sent", "보낸 것과 다름")
      case .missing: LocalizedText("not on this machine", "이 기기에 없음")
      case .otherwise: LocalizedText("no image that a page takes", "페이지에 넣을 수 없는 형식")
      }
    }
  }
}

/// An image that is not in an export.
package struct LeftOutImage: Sendable {
  package var name: String
  package var sizeInBytes: Int64?
  /// In the user's language.
  package var reason: String
}
