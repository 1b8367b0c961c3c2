package import ChatModel

/// How a profile is named in a command's argument, and which one an argument
/// names: two functions that are each other's inverse.
///
/// An argument is an id, a name, or a JSON string of an id for what cannot be
/// typed. An id wins over a name; a name counts only when one profile has it,
/// first as it stands, then whatever its case.
package struct ProfileReference {
  private let profiles: [Profile]

  package init(_ profiles: [Profile]) {
    self.profiles = profiles
  }

  package enum Resolution: Equatable {
    case found(Profile)
    case unknown
    /// Several have the name.
    case ambiguous([Profile])
  }

  /// Whom `argument` names.
  package func resolve(_ argument: String) -> Resolution {
    if let profile = profiles.first(where: { $0.id == argument }) { return .found(profile) }
    if let id = quotedID(argument), let profile = profiles.first(where: { $0.id == id }) {
      return .found(profile)
    }
    let sameName = profiles.filter { $0.name == argument }
    let named =
      sameName.isEmpty
      ? profiles.filter { $0.name.lowercased() == argument.lowercased() } : sameName
    switch named.count {
    case 0: return .unknown
    case 1: return .found(named[0])
    default: return .ambiguous(named)
    }
  }

  /// What names `profile` in an argument: its name where that is enough, else
  /// its id, else its id as a JSON string.
  package func argument(for profile: Profile) -> String {
    for candidate in [profile.name, profile.id]
    where Self.canBeTyped(candidate) && resolve(candidate) == .found(profile) {
      return candidate
    }
    var quoted: [UInt8] = []
    JSONText.append(profile.id, to: &quoted)
    return String(decoding: quoted, as: UTF8.self)
  }

  private func quotedID(_ argument: String) -> String? {
    guard argument.hasPrefix("\""), argument.utf8.count > 2 else { return nil }
    return JSONText.decode(argument)
  }

  /// Whether a text comes back from the prompt as it is.
  private static func canBeTyped(_ text: String) -> Bool {
    !text.isEmpty && text == text.trimmed
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
      }
  }
}
