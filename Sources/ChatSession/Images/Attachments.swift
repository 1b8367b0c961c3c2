package import ChatModel
internal import FileSystem
package import ImageAssets
internal import TerminalText
package import Transport

/// Files that are to go with a message: all of them are looked at and made
/// ready before the first one goes into the room.
package struct Attachments: Sendable {
  private let remover: PlaceRemover?

  /// - Parameter environment: where `TMPDIR` names a folder for copies.
  package init(_ settings: Settings, _ folders: Folders, environment: [String: String]) {
    remover =
      settings.keepsPlace
      ? nil : PlaceRemover(folder: folders.outgoingFiles, environment: environment)
  }

  /// The files as they are sent: photos and films without what they tell besides,
  /// such as the place where they were taken, unless the settings keep it.
  /// - Throws: why one of them cannot be sent, and so none is.
  @concurrent
  package func prepare(
    _ paths: [String], for transport: any Transport
  ) async throws(AttachmentError) -> [PreparedFile] {
    guard paths.count <= EventCodec.maximumAttachments else {
      throw AttachmentError(tooMany: paths.count)
    }
    let limit = Self.limit(of: transport)
    var opened: [OpenFile] = []
    for path in paths {
      do throws(TransportError) {
        opened.append(try RoomFiles.open(path, limit: limit))
      } catch {
        throw AttachmentError(error)
      }
    }
    var files: [PreparedFile] = []
    for file in opened { files.append(try await prepare(file)) }
    return files
  }

  /// Looks once more whether the room takes the files, of which it may have
  /// told only meanwhile how large they may be.
  /// - Throws: why one of them cannot be sent.
  package static func check(
    _ files: [PreparedFile], for transport: any Transport
  ) throws(AttachmentError) {
    for prepared in files {
      do throws(TransportError) {
        try RoomFiles.check(prepared.file, limit: limit(of: transport))
      } catch {
        throw AttachmentError(error)
      }
    }
  }

  private static func limit(of transport: any Transport) -> Int64 {
    transport.capabilities.maximumFileBytes ?? RoomFiles.maximumBytes
  }

  /// What the user is told of them: which tell less than their own files.
  package static func note(on files: [PreparedFile]) -> LocalizedText? {
    let names = files.filter(\.tellsLess).map { Path.name(of: $0.path) }.joined(separator: ", ")
    guard !names.isEmpty else { return nil }
    return LocalizedText(
      "\(names): what is told besides the picture, such as the place, is left out",
      "\(names): 촬영 위치처럼 그림 밖의 정보는 빼고 보냅니다")
  }

  private func prepare(_ file: OpenFile) async throws(AttachmentError) -> PreparedFile {
    guard let remover else { return PreparedFile(asItIs: file) }
    do throws(PlaceFailure) {
      return try await remover.prepare(file)
    } catch {
      throw AttachmentError(error, file.path)
    }
  }
}

extension Message {
  /// Adds a file that is in the room. An image is a file as well: that keeps
  /// its name and size.
  package mutating func attach(_ file: FileReference) {
    if file.mediaType?.hasPrefix("image/") == true { images.append(file.path) }
    files.append(file)
  }
}
