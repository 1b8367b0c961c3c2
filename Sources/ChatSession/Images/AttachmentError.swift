internal import Glibc
internal import ImageAssets
internal import TerminalText
package import Transport

/// Why files cannot be sent, as one sentence that a user can act on.
package struct AttachmentError: Error {
  package var text: LocalizedText
  /// The exit status that tells of it (sysexits.h).
  package var exitStatus: Int32

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
    case .notInstalled, .cannotStart, .timedOut: EX_UNAVAILABLE
    case .notCopied: EX_CANTCREAT
    case .unreadable, .notRemovable: EX_DATAERR
    }
  }

  /// What is wrong and what to do about it.
  fileprivate var reason: LocalizedText {
    switch self {
    case .notInstalled(let program):
      LocalizedText(
        "it may tell where it was taken; install \(program), which takes that out, "
          + "or set images.keepPlace to true to send it as it is",
        "촬영 위치가 들어 있을 수 있습니다. 위치를 지우는 \(program)를 설치하거나, "
          + "그대로 보내려면 images.keepPlace를 true로 하세요")
    case .cannotStart(let program, let number):
      LocalizedText(
        "\(program) cannot be started: \(String(cString: strerror(number)))",
        "\(program)를 실행할 수 없습니다: \(String(cString: strerror(number)))")
    case .notCopied(let place, let number):
      LocalizedText(
        "no copy without the place can be made in \(place): \(String(cString: strerror(number)))",
        "위치를 지울 사본을 만들 수 없습니다: \(place): \(String(cString: strerror(number)))")
    case .unreadable:
      LocalizedText(
        "whether it tells where it was taken cannot be read; "
          + "images.keepPlace set to true sends it as it is",
        "촬영 위치가 있는지 읽을 수 없습니다. images.keepPlace를 true로 하면 그대로 보냅니다")
    case .notRemovable:
      LocalizedText(
        "it tells where it was taken, and exiv2 cannot take that out; send it in another "
          + "format, or set images.keepPlace to true to send it as it is",
        "촬영 위치가 들어 있고, exiv2로 지울 수 없습니다. 다른 형식으로 보내거나, "
          + "그대로 보내려면 images.keepPlace를 true로 하세요")
    case .timedOut:
      LocalizedText(
        "taking out where it was taken takes too long; "
          + "images.keepPlace set to true sends it as it is",
        "촬영 위치를 지우는 데 너무 오래 걸립니다. images.keepPlace를 true로 하면 그대로 보냅니다")
    }
  }
}
