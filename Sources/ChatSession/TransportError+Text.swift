package import Transport

extension TransportError {
  /// What is wrong, in both languages; what nobody has translated stays as it
  /// is in the English one.
  package var text: LocalizedText {
    let prefix = path.map { "\($0): " } ?? ""
    let (korean, isWhole) = KoreanReasons.translation(of: reason)
    return LocalizedText(
      description, prefix + (isWhole ? korean : Self.korean[code.name] ?? korean))
  }

  private static let korean = [
    Code.notFound.name: "없습니다. 이름을 확인하세요",
    Code.denied.name: "권한이 없습니다",
    Code.cannotCreate.name: "만들 수 없습니다. 폴더가 없으면 먼저 만드세요",
    Code.inputOutput.name: "읽거나 쓸 수 없습니다",
    Code.noSpace.name: "디스크 공간이 없습니다. 공간을 마련하고 다시 보내세요",
    Code.busy.name: "다른 프로그램이 쓰고 있습니다",
    Code.tooLarge.name: "너무 큽니다. 더 작게 보내세요",
    Code.altered.name: "받은 파일이 보낸 것과 다릅니다",
    Code.gone.name: "방이 그 사이 바뀌었습니다. 다시 시도하세요",
    Code.notInstalled.name: "그곳에서 banter를 실행할 수 없습니다. 설치하거나 PATH를 확인하세요",
    Code.closed.name: "방이 닫혔습니다",
  ]
}

extension LocalizedText {
  /// What a transport tells as a notice.
  package init(notice: String) {
    self.init(notice, KoreanReasons.translation(of: notice).text)
  }
}

extension RoomProblem {
  /// Where something cannot be read and why, in both languages.
  package var text: LocalizedText {
    let place = lineNumber.map { "\($0)번째 줄(바이트 \(byteOffset))" } ?? "바이트 \(byteOffset)"
    let count = lineCount > 1 ? " 등 \(lineCount)줄" : ""
    return LocalizedText(description, "\(source): \(place)\(count), 읽을 수 없음: \(reason)")
  }
}
