/// Neutralised text for HTML, the web addresses in it as links.
///
/// What a link shows is where it leads. An address ends at a blank, a quote or
/// an angle bracket; its host also at what is not ASCII, since particles follow
/// it without a blank (`https://example.org에서`).
func htmlWithLinks(_ text: String) -> String {
  guard text.utf8.contains(UInt8(ascii: ":")) else { return html(text) }
  let bytes = Array(text.utf8)
  var result = ""
  var (written, position) = (0, 0)
  while position < bytes.count {
    guard let host = startOfHost(bytes, from: position) else {
      position += 1
      continue
    }
    let end = endOfAddress(bytes, from: host)
    let link = position..<endWithoutPunctuation(bytes[host..<end])
    if let address = WebAddress(String(decoding: bytes[link], as: UTF8.self)) {
      result += html(String(decoding: bytes[written..<position], as: UTF8.self))
      let shown = html(String(decoding: bytes[link], as: UTF8.self))
      result += "<a href=\"\(html(address.text))\" rel=\"\(linkRelation)\">\(shown)</a>"
      written = link.upperBound
    }
    // Not looked at twice, whatever it was: it may be long.
    position = end
  }
  return result + html(String(decoding: bytes[written...], as: UTF8.self))
}

/// Tells the other side nothing about the page.
let linkRelation = "nofollow noopener noreferrer"

/// Where the host begins of an address that begins at `start`; nil when none
/// does.
private func startOfHost(_ bytes: [UInt8], from start: Int) -> Int? {
  guard bytes[start] == UInt8(ascii: "h"), start == 0 || !isAlphanumeric(bytes[start - 1])
  else { return nil }
  return ["https://", "http://"].first { bytes[start...].starts(with: $0.utf8) }
    .map { start + $0.utf8.count }
}

/// Where the address ends whose host begins at `host`.
private func endOfAddress(_ bytes: [UInt8], from host: Int) -> Int {
  var end = host
  var isHost = true
  while end < bytes.count, !" \n\"<>".utf8.contains(bytes[end]), !isHost || bytes[end] < 0x80 {
    if "/?#".utf8.contains(bytes[end]) { isHost = false }
    end += 1
  }
  return end
}

/// Where an address ends when the sentence or the brackets around it go on
/// behind it. A bracket that was opened in the address belongs to it.
private func endWithoutPunctuation(_ address: ArraySlice<UInt8>) -> Int {
  var unopened =
    address.count { ")]".utf8.contains($0) } - address.count { "([".utf8.contains($0) }
  var rest = address
  while let last = rest.last {
    if ")]".utf8.contains(last) {
      if unopened <= 0 { break }
      unopened -= 1
    } else if !".,:;!?'*_~".utf8.contains(last) {
      break
    }
    rest.removeLast()
  }
  return rest.endIndex
}
