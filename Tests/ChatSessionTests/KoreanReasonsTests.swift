import Testing
import Transport

@testable import ChatSession

struct KoreanReasonsTests {
  @Test(arguments: [
    ("no answer within 10 s; it is tried again", "10초 안에 답이 없습니다; 다시 시도합니다"),
    ("the far side hung up; it said: bye; bye", "상대가 연결을 끊었습니다; 마지막 말: bye; bye"),
    (
      "ITS CERTIFICATE HAS CHANGED: it was A and is B; somebody may stand between",
      "인증서가 바뀌었습니다: 전에는 A, 지금은 B; 누군가 사이에 있을 수 있습니다"
    ),
    ("this account may not enter 방 any more", "이 계정은 이제 방에 들어갈 수 없습니다"),
    ("Connection refused; something new", "연결이 거부되었습니다; something new"),
    (
      "it is larger than 67.1 MB, which is the most; send a smaller one",
      "최대 67.1 MB보다 큽니다; 더 작은 것을 보내세요"
    ),
    (
      "this is a folder, and only files can be attached; name a file",
      "폴더입니다. 파일만 보낼 수 있습니다; 파일을 지정하세요"
    ),
    ("this is a device, and a room is a file; name a file", "장치입니다. 방은 파일이어야 합니다; 파일을 지정하세요"),
    ("", ""),
  ])
  func `a reason is translated clause by clause`(_ english: String, _ korean: String) {
    #expect(KoreanReasons.translation(of: english).text == korean)
  }

  @Test func `what is known whole says more than the kind of error, and that more than a part`() {
    let denied = TransportError(.denied, path: "hub", reason: "this account is for reading only")
    #expect(denied.text.korean == "hub: 이 계정은 읽기만 할 수 있습니다")
    let file = TransportError(.notFound, path: "/f", reason: "No such file or directory; check it")
    #expect(file.text.korean == "/f: 없습니다. 이름을 확인하세요")
    let other = TransportError(.unreachable, path: "hub", reason: "Connection refused; odd")
    #expect(other.text.korean == "hub: 연결이 거부되었습니다; odd")
  }
}
