package import ChatModel

/// How a profile is named in a command's argument, and which one an argument
/// names: two functions that are each other's inverse.
///
/// An argument is a JSON string of an id, an id, or a name. The JSON string,
/// for what cannot be typed, wins over an id, which wins over a name; a name
/// counts only when one profile has it, first as it stands, then whatever its
/// case.
package struct ProfileReference {
  private let byID: [String: Profile]
  private let byName: [String: [Profile]]
  private let byLowercasedName: [String: [Profile]]

  package init(_ profiles: [Profile]) {
    byID = Dictionary(profiles.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(grouping: profiles, by: \.name)
    byLowercasedName = Dictionary(grouping: profiles) { $0.name.lowercased() }
  }

  package enum Resolution: Equatable {
    case found(Profile)
    case unknown
    /// Several have the name.
    case ambiguous([Profile])
  }

  /// Whom `argument` names.
  package func resolve(_ argument: String) -> Resolution {
    for id in [JSONText.decode(argument), argument] {
      if let profile = id.flatMap({ byID[$0] }) { return .found(profile) }
    }
    let named = byName[argument] ?? byLowercasedName[argument.lowercased()] ?? []
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

  /// Whether a text can be seen and typed, and is read from a command's line
  /// as it is.
  private static func canBeTyped(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !first.properties.isGraphemeExtend else {
      return false
    }
    return text.utf8.elementsEqual(text.trimmed.utf8)
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
      }
  }
}
