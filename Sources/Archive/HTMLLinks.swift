/// Neutralised text for HTML, the web addresses in it as links.
///
/// What a link shows is where it leads. An address ends at a blank, a quote or
/// an angle bracket; its host also at what is not ASCII, since particles follow
/// it without a blank (`https://example.org에서`).
func htmlWithLinks(_ text: String) -> String {
  guard text.contains("://") else { return html(text) }
  let bytes = Array(text.utf8)
  var result = ""
  var (written, position) = (0, 0)
  while position < bytes.count {
    guard let end = endOfAddress(bytes, from: position),
      let address = WebAddress(String(decoding: bytes[position..<end], as: UTF8.self))
    else {
      position += 1
      continue
    }
    result += html(String(decoding: bytes[written..<position], as: UTF8.self))
    let shown = html(String(decoding: bytes[position..<end], as: UTF8.self))
    result += "<a href=\"\(html(address.text))\" rel=\"\(linkRelation)\">\(shown)</a>"
    (written, position) = (end, end)
  }
  return result + html(String(decoding: bytes[written...], as: UTF8.self))
}

/// Tells the other side nothing about the page.
let linkRelation = "nofollow noopener noreferrer"

/// Where the address ends that begins at `start`; nil when none does.
private func endOfAddress(_ bytes: [UInt8], from start: Int) -> Int? {
  guard bytes[start] == UInt8(ascii: "h"), start == 0 || !isAlphanumeric(bytes[start - 1]),
    let scheme = ["https://", "http://"].first(where: { bytes[start...].starts(with: $0.utf8) })
  else { return nil }
  var end = start + scheme.utf8.count
  var isHost = true
  while end < bytes.count, !" \n\"<>".utf8.contains(bytes[end]), !isHost || bytes[end] < 0x80 {
    if "/?#".utf8.contains(bytes[end]) { isHost = false }
    end += 1
  }
  // A sentence or a bracket around it goes on behind it.
  while ".,:;!?'*_~)]".utf8.contains(bytes[end - 1]) {
    if isClosing(bytes[start..<end]) { break }
    end -= 1
  }
  return end > start + scheme.utf8.count ? end : nil
}

/// Whether the last byte closes a bracket that was opened in the address.
private func isClosing(_ address: ArraySlice<UInt8>) -> Bool {
  switch address.last.map(Unicode.Scalar.init) {
  case ")": address.contains(UInt8(ascii: "("))
  case "]": address.contains(UInt8(ascii: "["))
  default: false
  }
}
