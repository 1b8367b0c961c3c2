/// A size for people of any language: `17 B`, `12.4 KB`; units are powers of
/// 1000 (ISO 80000-13).
package func sizeText(_ bytes: Int64) -> String {
  if bytes < 1000 { return "\(max(0, bytes)) B" }
  var tenths = (bytes - bytes % 100) / 100
  for unit in ["KB", "MB", "GB", "TB", "PB"] {
    if tenths < 10_000 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
    tenths /= 1000
  }
  return "\(tenths / 10) EB"
}
