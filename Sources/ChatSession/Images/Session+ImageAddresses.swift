internal import ChatModel
internal import ImageAssets
internal import TerminalText
internal import Transport
internal import TransportSecurity

/// The addresses of images, copied.
extension Session {
  /// The address of an image, as it may go into the clipboard: what it holds is
  /// pasted where a control character does something.
  func copyableAddress(
    _ index: Int, of message: Message, in room: JoinedRoom
  ) throws(CommandError) -> String {
    let image = message.images[index]
    if case .data = ImageSource(image) {
      throw CommandError(
        language(
          "image \(index + 1) has no address, it came whole; save it instead",
          "\(index + 1)번째 이미지는 주소가 없습니다. save로 저장하세요"))
    }
    guard let address = usableAddress(of: image, in: room) else {
      throw CommandError(
        language(
          "image \(index + 1) is kept in the room and has no address; save it instead",
          "\(index + 1)번째 이미지는 방에 있고 주소가 없습니다. save로 저장하세요"))
    }
    // What is copied is what was shown, to the last character.
    guard neutralized(address).unicodeScalars.elementsEqual(address.unicodeScalars) else {
      throw CommandError(
        language(
          "the address of image \(index + 1) has invisible characters in it; it is not copied",
          "\(index + 1)번째 이미지의 주소에 보이지 않는 문자가 있어 복사하지 않습니다"))
    }
    return address
  }

  /// The address of an image on the web, or the path of the file on this
  /// machine, quoted for a shell; nil where neither is known.
  private func usableAddress(of image: String, in room: JoinedRoom) -> String? {
    if let address = imageMap.address(of: image) { return address }
    guard let path = (room.transport.files as? RoomFiles)?.location(of: image) else { return nil }
    // From the root: it is pasted anywhere.
    return FileNames.shellQuoted(
      Path.entry(Path.name(of: path), of: Path.absolute(Path.parent(of: path))))
  }

  /// Puts a text into the terminal's clipboard; shows it where that is known not
  /// to be possible.
  func copy(_ text: String) {
    guard surface.showsPictures else { return say(text) }
    run { [self] in
      if let reason = await Clipboard.obstacle(parts.environment) {
        return say(
          language("not copied: \(reason.english)", "복사하지 못함: \(reason.korean)") + "\n" + text)
      }
      surface.copy(base64: Base64.encode(Array(text.utf8)))
      say(language("copied: \(text)", "복사했습니다: \(text)"))
    }
  }
}
