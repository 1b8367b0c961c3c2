/// Whether `text` has characters that open or close a stretch of a direction.
func hasDirections(_ text: String) -> Bool {
  // All of them begin with these bytes; so do quotation marks and dashes.
  let mayHave = text.utf8.withContiguousStorageIfAvailable { bytes in bytes.contains(0xE2) }
  if mayHave == false { return false }
  return text.unicodeScalars.contains { ScalarKind($0) == .direction }
}

/// Closes at the end of each row what is open there, and opens it again in the
/// next: terminals lay out each row by itself.
func closeDirections(of text: String, in rows: inout [WrappedRow]) {
  var open: [Unicode.Scalar] = []
  for index in rows.indices {
    var row = String.UnicodeScalarView()
    row.appendEach(of: open)
    for scalar in rows[index].string(in: text).unicodeScalars {
      row.append(scalar)
      guard ScalarKind(scalar) == .direction else { continue }
      if scalar.value == 0x202C || scalar.value == 0x2069 {
        _ = open.popLast()
      } else {
        open.append(scalar)
      }
    }
    row.appendEach(of: open.reversed().map { $0.value < 0x2066 ? "\u{202C}" : "\u{2069}" })
    rows[index].replacement = String(row)
  }
}
