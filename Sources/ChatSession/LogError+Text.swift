package import SessionLog

extension LogError {
  /// What is wrong, in both languages; what the system said stays as it is in
  /// the English one.
  package var text: LocalizedText {
    LocalizedText(reason, Self.korean[code.name].map { "세션 기록: \($0)" } ?? reason)
  }

  private static let korean = [
    Code.damaged.name: "파일이 손상되었습니다",
    Code.newer.name: "더 새로운 Banter가 쓴 기록입니다. Banter를 새로 설치하세요",
    Code.busy.name: "다른 프로그램이 쓰고 있습니다",
    Code.denied.name: "권한이 없습니다",
    Code.noSpace.name: "디스크 공간이 없습니다. 공간을 마련하세요",
    Code.inputOutput.name: "읽거나 쓸 수 없습니다",
    Code.notFound.name: "아직 기록이 없습니다",
  ]
}

extension LogNotice {
  /// What happened, in both languages.
  package var text: LocalizedText {
    switch self {
    case .setAside(let path, let other):
      LocalizedText(
        "\(path) was damaged; it is now \(other), and a new log was begun",
        "\(path) 파일이 손상되어 \(other)(으)로 옮기고 새로 시작했습니다")
    case .carriedOver(let count):
      LocalizedText(
        "\(counted(count, "message")) could be carried over from it",
        "메시지 \(count)개를 옮겨 왔습니다")
    }
  }
}
