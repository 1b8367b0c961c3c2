import TestSupport

extension Program {
  /// The program under test.
  static let banter = products + "/banter"
}
