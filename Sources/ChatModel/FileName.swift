/// What the file at a stored path or an address is called: the last component,
/// of an address without its query and fragment (RFC 3986, 3); nil for an
/// address that is its own contents (RFC 2397).
package func fileName(ofPath path: String) -> String? {
  let text = path.utf8
  guard !text.prefix(5).map({ $0 | 0x20 }).elementsEqual("data:".utf8) else { return nil }
  let isAddress = path.contains("://")
  let place = text.prefix { !isAddress || !"?#".utf8.contains($0) }
  return String(Substring(place.split(separator: UInt8(ascii: "/")).last ?? place))
}
