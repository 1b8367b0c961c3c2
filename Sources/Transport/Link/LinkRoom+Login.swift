internal import Sockets
internal import TransportSecurity

/// Logging in at a far side that wants to know who calls, with SCRAM: the
/// password itself goes nowhere, and the far side proves that it knows it.
extension LinkRoom {
  func logIn(_ mechanisms: [String], _ data: String?) {
    guard case .greeting = stage else { return }
    do throws(ScramError) {
      guard let data else {
        guard !isAskedToLogIn else { return failLogin("it asks for a login twice") }
        return askForLogin(mechanisms)
      }
      guard let challenge = Base64.decode(data), var client = loggingIn else {
        return failLogin("it answers something else than a login")
      }
      let reply = try client.reply(to: challenge)
      loggingIn = client
      ask(.auth(mechanism: nil, data: Base64.encode(reply)))
    } catch {
      failLogin(error.reason)
    }
  }

  /// How often somebody may mistype.
  private static let typedAttempts = 3

  /// Lets somebody who has mistyped a password type it again.
  /// - Returns: whether he may.
  func askAgain(because failure: TransportError) -> Bool {
    guard loggingIn != nil, loginAttempts > 0, loginAttempts < Self.typedAttempts else {
      return false
    }
    (loggingIn, isLoginRefused) = (nil, true)
    tell(.notice(failure.description))
    askForLogin(loginMechanisms)
    return true
  }

  private func askForLogin(_ mechanisms: [String]) {
    loginMechanisms = mechanisms
    let number = connectionNumber
    let isRefused = isLoginRefused
    (isAskedToLogIn, isFindingLogin, isLoginRefused) = (true, true, false)
    Task {
      let found = await login(isRefused)
      guard number == connectionNumber, connection != nil else { return }
      isFindingLogin = false
      guard let found else {
        return failLogin(
          "it asks for a password, and there is none; set passwordCommand, or write a line "
            + "HOST:PORT USER PASSWORD into the passwords file")
      }
      begin(found, mechanisms)
    }
  }

  private func begin(_ found: Login, _ mechanisms: [String]) {
    do throws(ScramError) {
      let client = try ScramClient(
        user: found.user, password: found.password, offered: mechanisms,
        binding: connection?.security?.exporterBinding())
      loggingIn = client
      // The step begins with the answer, however long that took.
      (heardAt, stepBeganAt) = (.now, .now)
      if found.isTyped { loginAttempts += 1 }
      ask(
        .auth(mechanism: client.mechanism.rawValue, data: Base64.encode(client.firstMessage)))
    } catch {
      failLogin(error.reason)
    }
  }

  /// Whether a login has to prove who the far side is. Until it has, nothing
  /// else that it says counts.
  var hasToProveItself: Bool {
    guard case .greeting = stage else { return false }
    return expectsLogin || isAskedToLogIn
  }

  /// Whether the far side has shown that it knows the password, where there
  /// is one.
  func provesItself(_ welcome: Welcome) -> Bool {
    guard var client = loggingIn else {
      guard hasToProveItself else { return true }
      failLogin(Self.unprovenReason)
      return false
    }
    (loggingIn, isLoginRefused) = (nil, false)
    do throws(ScramError) {
      try client.verify(welcome.data.flatMap { Base64.decode($0) } ?? [])
      return true
    } catch {
      failLogin(error.reason)
      return false
    }
  }

  private static let unprovenReason =
    "it lets anybody in without a password, and you have one there, so it may be somebody "
    + "else's; if it is right, leave the name and @ out of the address, and its line out of the "
    + "passwords file"

  private func failLogin(_ reason: String) {
    fail(TransportError(.refused, path: dialer.name, reason: reason))
  }
}
