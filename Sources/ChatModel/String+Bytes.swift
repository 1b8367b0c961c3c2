extension String {
  /// As much of the beginning as fits into `count` bytes of UTF-8, cut between
  /// two scalars.
  package func beginning(ofBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    // An end inside a scalar falls back to the beginning of it.
    return String(unicodeScalars[..<utf8.index(startIndex, offsetBy: count)])
  }
}
