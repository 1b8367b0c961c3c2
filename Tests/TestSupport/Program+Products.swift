internal import Glibc

extension Program {
  /// The folder of the test bundle, where the products are.
  package static let products: String = {
    var buffer = [CChar](repeating: 0, count: 4_096)
    _ = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let bundle = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    if access(folder(of: bundle) + "/banter", X_OK) == 0 { return folder(of: bundle) }
    return folder(of: folder(of: folder(of: #filePath))) + "/.build/debug"
  }()

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }
}
