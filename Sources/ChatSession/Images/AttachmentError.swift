internal import ChatModel
internal import Glibc
internal import ImageAssets
internal import TerminalText
package import Transport

/// Why files cannot be sent, as one sentence that a user can act on.
package struct AttachmentError: Error {
  package var text: LocalizedText
  /// The exit status that tells of it (sysexits.h).
  package var exitStatus: Int32

  /// More files than one message takes.
  init(tooMany count: Int) {
    let most = EventCodec.maximumAttachments
    text = LocalizedText(
      "\(count) files are more than one message takes; send \(most) at most",
      "한 메시지에 파일 \(count)개는 너무 많습니다. \(most)개까지 보낼 수 있습니다")
    exitStatus = EX_DATAERR
  }

  package init(_ error: TransportError) {
    (text, exitStatus) = (error.text, error.code.exitStatus)
  }

  init(_ failure: PlaceFailure, _ path: String) {
    let (reason, status) = (failure.reason, failure.exitStatus)
    text = LocalizedText("\(path): \(reason.english)", "\(path): \(reason.korean)")
    exitStatus = status
  }
}

extension PlaceFailure {
  fileprivate var exitStatus: Int32 {
    switch self {
    case .notCopied: EX_CANTCREAT
    case .notRead: EX_IOERR
    case .tooLarge, .unreadable, .unknownKind: EX_DATAERR
    }
  }

  /// What is wrong and what to do about it.
  fileprivate var reason: LocalizedText {
    switch self {
    case .notCopied(let place, let number):
      LocalizedText(
        "no copy without the place can be made in \(place): "
          + "\(String(cString: strerror(number))); TMPDIR names another folder",
        "위치를 지울 사본을 만들 수 없습니다: \(place): \(String(cString: strerror(number))). "
          + "다른 폴더는 TMPDIR로 정합니다")
    case .notRead(let number):
      LocalizedText(
        "it cannot be read: \(String(cString: strerror(number))); copy it elsewhere, and send that",
        "읽을 수 없습니다: \(String(cString: strerror(number))). 다른 곳에 복사해서 보내세요")
    case .tooLarge(let limit):
      LocalizedText(
        "it is larger than \(sizeText(Int64(limit))), which is the most; send a smaller one",
        "최대 \(sizeText(Int64(limit)))보다 큽니다. 더 작은 것을 보내세요")
    case .unreadable:
      LocalizedText(
        "it begins as a photo or film and does not go on as one, so that nobody knows whether it "
          + "tells where it was taken; save it anew as JPEG (a film as MP4), or set "
          + "images.keepPlace to true to send it as it is",
        "사진이나 동영상으로 시작하지만 읽을 수 없어, 촬영 위치가 있는지 알 수 없습니다. "
          + "JPEG(동영상은 MP4)로 다시 저장하거나, 그대로 보내려면 images.keepPlace를 true로 하세요")
    case .unknownKind:
      LocalizedText(
        "it may tell where it was taken, and of this kind of file that cannot be taken out; convert "
          + "it to JPEG (a film to MP4), or set images.keepPlace to true to send it as it is",
        "촬영 위치가 있을 수 있고, 이 형식에서는 지울 수 없습니다. JPEG(동영상은 MP4)로 바꾸거나, 그대로 "
          + "보내려면 images.keepPlace를 true로 하세요")
    }
  }
}
