/// Whether letters of more than one of Latin, Cyrillic and Greek stand in
/// `name`: these look alike, so that such a name may pose as another (Unicode
/// Technical Standard 39 calls it mixed-script confusable).
///
/// Other scripts go with Latin in honest names, such as `민수 Kim`.
package func hasMixedScripts(_ name: String) -> Bool {
  if isPrintableASCII(name) { return false }
  var found: Set<ConfusableScript> = []
  for scalar in name.unicodeScalars {
    if let script = ConfusableScript(scalar) { found.insert(script) }
  }
  return found.count > 1
}

private enum ConfusableScript {
  case latin, greek, cyrillic

  init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF,
      0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA722...0xA7FF, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
      self = .latin
    case 0x370...0x373, 0x376...0x377, 0x37B...0x37D, 0x37F, 0x386, 0x388...0x3FF, 0x1F00...0x1FFF:
      self = .greek
    case 0x400...0x481, 0x48A...0x52F, 0x1C80...0x1C8F, 0xA640...0xA66E, 0xA680...0xA69B:
      self = .cyrillic
    default:
      return nil
    }
  }
}
