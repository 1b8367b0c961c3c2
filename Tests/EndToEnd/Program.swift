import TestSupport

extension Program {
  /// The program under test.
  static let banter = products + "/banter"

  /// The folder of the plugin that shows how to write one.
  static let examplePlugins = folder(of: folder(of: folder(of: #filePath))) + "/plugins/example"

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
