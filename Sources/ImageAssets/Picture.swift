/// A picture as it is written to a terminal.
package struct Picture: Hashable, Sendable {
  /// One for each row that it takes, without line ends; nothing in them acts on
  /// the terminal but what draws the picture.
  package var rows: [String]

  package var sizeInBytes: Int { rows.reduce(0) { $0 + $1.utf8.count } }
}
