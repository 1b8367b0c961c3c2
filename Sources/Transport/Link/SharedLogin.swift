/// Has one login found for all connections that ask for it while it is being
/// found: a far side that has hung up meanwhile does not make the user be asked
/// twice, and what he then answers goes over the next connection.
package actor SharedLogin {
  private let isKept: Bool
  private var login: Login?
  private var finding: Task<Login?, Never>?

  /// - Parameter isKept: whether what was found is used until it is refused,
  ///   and not found anew for each connection.
  package init(isKept: Bool) {
    self.isKept = isKept
  }

  /// The login; nil where none is found.
  /// - Parameter isRefused: whether what was kept is of no use.
  package func find(
    isRefused: Bool, _ find: @escaping @Sendable () async -> Login?
  ) async -> Login? {
    if isRefused { login = nil }
    if let login { return login }
    if let finding { return await finding.value }
    let task = Task { await find() }
    finding = task
    let found = await task.value
    finding = nil
    if isKept { login = found }
    return found
  }
}
