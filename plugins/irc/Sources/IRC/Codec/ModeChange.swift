/// One mode that was set or taken, with its parameter.
package struct ModeChange: Equatable, Sendable {
  package var isSet: Bool
  package var mode: Character
  package var parameter: String?

  /// Reads the modes of a channel, such as `+ov-b` and the parameters behind
  /// them, by what the server says which of them have one.
  package static func read(_ parameters: [String], _ features: ServerFeatures) -> [ModeChange] {
    guard let modes = parameters.first else { return [] }
    var values = parameters.dropFirst()[...]
    var changes: [ModeChange] = []
    var isSet = true
    for byte in modes.utf8 {
      switch byte {
      case UInt8(ascii: "+"): isSet = true
      case UInt8(ascii: "-"): isSet = false
      default:
        let takesValue = takesParameter(byte, isSet: isSet, features)
        changes.append(
          ModeChange(
            isSet: isSet, mode: Character(Unicode.Scalar(byte)),
            parameter: takesValue ? values.popFirst() : nil))
      }
    }
    return changes
  }

  private static func takesParameter(
    _ mode: UInt8, isSet: Bool, _ features: ServerFeatures
  ) -> Bool {
    if features.prefixes.contains(where: { $0.mode == mode }) { return true }
    let kinds = features.channelModes
    return kinds[0].contains(mode) || kinds[1].contains(mode) || isSet && kinds[2].contains(mode)
  }
}
