extension KoreanReasons {
  /// What `banter plugins check` says of promises.
  static let check = [
    ("answers hello with welcome of version 1", "hello에 버전 1의 welcome으로 답한다"),
    ("prints nothing but the protocol", "프로토콜이 아닌 것을 출력하지 않는다"),
    (
      "answers ping with pong, the same ref, and passes unknown fields over",
      "ping에 같은 ref의 pong으로 답하고, 모르는 필드는 지나친다"
    ),
    (
      "answers an unknown request with an error of class unsupported",
      "모르는 요청에 unsupported 오류로 답한다"
    ),
    ("lives on after a line that makes no sense", "뜻 없는 줄을 받아도 계속 산다"),
    ("answers bye with bye", "bye에 bye로 답한다"),
    ("ends after bye", "bye 뒤에 끝난다"),
    (
      "answers a host whose versions it does not know with an error of class unsupported",
      "모르는 버전만 쓰는 상대에게 unsupported 오류로 답한다"
    ),
    ("ends by itself when its input ends", "입력이 끝나면 스스로 끝난다"),
    ("answers leave with left", "leave에 left로 답한다"),
    (
      "answers join with joined, before anything of the room",
      "방의 것보다 먼저 join에 joined로 답한다"
    ),
    ("says live when the replay is over", "지난 것을 다 전하면 live라고 한다"),
    ("acknowledges what is sent, by its id", "보낸 것을 그 아이디로 확인한다"),
    (
      "tells one's own message under the id that it was sent with",
      "자기 메시지를 보낸 아이디 그대로 전한다"
    ),
    ("acknowledges a repeat as a duplicate", "되풀이된 것을 duplicate로 확인한다"),
    (
      "tells one who comes back with a cursor the last messages too",
      "커서를 갖고 돌아온 사람에게 마지막 메시지도 전한다"
    ),
    (
      "pages its history, oldest first and no more than asked for",
      "지난 대화를 오래된 것부터, 청한 만큼만 준다"
    ),
    ("answers the request for {}", "{} 요청에 답한다"),
    ("it says version {}", "버전 {}(이)라고 합니다"), ("it printed: {}", "출력한 것: {}"),
    ("it asks for {}, and there is none", "{}을(를) 물었는데 없습니다"),
    (
      "write a line HOST USER PASSWORD into the passwords file, or set passwordCommand",
      "비밀번호 파일에 HOST USER PASSWORD 줄을 쓰거나 passwordCommand를 정하세요"
    ),
    ("another class", "다른 class입니다"), ("it fell silent", "말이 없어졌습니다"),
    ("it was still there after {} s", "{}초 뒤에도 남아 있었습니다"),
    ("it said welcome", "welcome이라고 했습니다"),
    ("it did not come back in time", "제때 돌아오지 않았습니다"),
    ("it told nothing before live", "live 앞에 아무것도 전하지 않았습니다"),
    ("no joined came before anything else in time", "joined가 제때 먼저 오지 않았습니다"),
    ("no {} came in time", "{}: 제때 오지 않았습니다"),
    ("ack of {}, duplicate {}", "{}의 ack, duplicate {}"),
    ("{} messages, times {}", "메시지 {}개, 시각 {}"),
    ("there is no plugin {}", "{} 플러그인이 없습니다"),
    ("not connected", "연결되지 않았습니다"), ("/{} was not sent", "/{} 명령을 보내지 않았습니다"),
    ("{}: it printed what is none of the protocol: {}", "{}: 프로토콜이 아닌 것을 출력했습니다: {}"),
  ]
}
