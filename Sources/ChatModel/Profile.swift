/// Who writes messages: an id that stays, a name that may change.
package struct Profile: Hashable, Sendable, Identifiable {
  package var id: String
  /// Empty when nothing but the id is known.
  package var name: String
  /// A stored path or an address.
  package var image: String?
  /// Further fields, such as `about`, by name.
  package var fields: [String: String]

  package init(id: String, name: String, image: String? = nil, fields: [String: String] = [:]) {
    self.id = id
    self.name = name
    self.image = image
    self.fields = fields
  }

  /// The name, or the id where there is none.
  package var displayName: String { name.isEmpty ? id : name }
}
