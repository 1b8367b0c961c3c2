/// Bytes without their percent-encoding (RFC 3986, 2.1); nil where a percent
/// sign stands before something else than two hexadecimal digits.
package func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var rest = text
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
    else { return nil }
    bytes.append(high << 4 | low)
  }
  return bytes
}

private func digit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
  default: nil
  }
}
