/// Something that an operator of a hub wants to know.
package struct HubLogEntry: Sendable {
  package enum Kind: String, Sendable {
    case connected, left, refused, problem
  }

  package var kind: Kind
  /// Where somebody calls from; empty where nobody does.
  package var peer: String
  /// Who it is, once that is known.
  package var profileID: String?
  /// As whom somebody has tried to log in; anyone can say anything there.
  package var triedAccount: String?
  /// A clause without a full stop.
  package var text: String
}
