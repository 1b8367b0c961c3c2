internal import ChatModel
internal import Glibc
internal import ImageAssets
internal import TerminalText

extension ImageFailure {
  /// Why there is no picture, and what to do about it.
  var text: LocalizedText {
    switch self {
    case .notInstalled(let program):
      LocalizedText("install \(program) to see it here", "\(program)를 설치하면 보입니다")
    case .cannotStart(let program, let number):
      LocalizedText(
        "\(program) cannot be started: \(String(cString: strerror(number)))",
        "\(program)를 실행할 수 없습니다: \(String(cString: strerror(number)))")
    case .ended(let program):
      LocalizedText(
        "\(program) was ended from outside; try again", "\(program): 밖에서 중단되었습니다. 다시 해 보세요")
    case .shutIn(let program):
      LocalizedText(
        "this \(program) does not work shut in; install the system's package of it",
        "이 \(program)는 격리된 채로는 실행되지 않습니다. 시스템의 패키지를 설치하세요")
    case .badAddress: LocalizedText("this is no address of the web", "웹 주소가 아닙니다")
    case .foreignHost:
      LocalizedText(
        "its host's name has to be written in ASCII: xn--…",
        "호스트 이름을 xn--…처럼 영문으로 쓴 주소가 필요합니다")
    case .forbiddenAddress(let host):
      LocalizedText(
        "\(host) is not on the public internet; images.private allows it",
        "\(host): 공개된 인터넷이 아닙니다. images.private 설정으로 허용합니다")
    case .uselessAddress(let host):
      LocalizedText(
        "\(host) leads to an address where no server is", "\(host): 서버가 있을 수 없는 주소입니다")
    case .unknownHost(let host):
      LocalizedText("nobody knows a host called \(host)", "\(host): 없는 호스트입니다")
    case .tooManyLookups:
      LocalizedText(
        "the name server does not answer; check the network and try again",
        "네임 서버가 답하지 않습니다. 네트워크를 확인하고 다시 해 보세요")
    case .unreachable(let host):
      LocalizedText("\(host) cannot be reached", "\(host): 연결할 수 없습니다")
    case .untrusted(let host):
      LocalizedText(
        "nobody vouches for the certificate of \(host)", "\(host): 인증서를 믿을 수 없습니다")
    case .status(let code):
      LocalizedText("the server answers with status \(code)", "서버의 응답: \(code)")
    case .tooManyRedirects: LocalizedText("it is redirected too often", "너무 여러 번 다른 주소로 보냅니다")
    case .timedOut: LocalizedText("it takes too long", "너무 오래 걸립니다")
    case .incomplete: LocalizedText("it broke off before its end", "끝까지 받지 못했습니다")
    case .empty: LocalizedText("the file is empty", "빈 파일입니다")
    case .tooLarge(let limit):
      LocalizedText(
        "it is larger than \(sizeText(Int64(limit)))", "\(sizeText(Int64(limit)))보다 큽니다")
    case .tooManyPixels(let size):
      LocalizedText(
        "\(size.width)×\(size.height) are too many pixels to decode",
        "\(size.width)×\(size.height): 픽셀이 너무 많습니다")
    case .notAnImage:
      LocalizedText("it is no PNG, JPEG, GIF or WebP", "PNG, JPEG, GIF, WebP가 아닙니다")
    case .undecodable: LocalizedText("this image cannot be read", "읽을 수 없는 이미지입니다")
    case .notInRoom:
      LocalizedText("this image is not in the room's folder", "방 폴더에 없는 이미지입니다")
    case .notAFile:
      LocalizedText("the file of this image is not there", "이미지 파일이 없습니다")
    case .altered:
      LocalizedText("what has come is not what was sent", "받은 파일이 보낸 것과 다릅니다")
    case .notKept(let number):
      LocalizedText(
        "there is no room to keep it: \(String(cString: strerror(number)))",
        "저장할 곳이 없습니다: \(String(cString: strerror(number)))")
    case .refusedByRoom: LocalizedText("the room does not hand it out", "방에서 받을 수 없습니다")
    case .cancelled: LocalizedText("it was given up", "그만두었습니다")
    }
  }
}
