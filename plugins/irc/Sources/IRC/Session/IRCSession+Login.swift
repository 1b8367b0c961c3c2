internal import Transport
internal import TransportSecurity

/// Logging in to an account.
extension IRCSession {
  /// - Parameter offered: the mechanisms that the server names; empty where it
  ///   names none.
  /// - Returns: whether a login is under way, or was refused.
  func beginLogin(_ offered: String) -> Bool {
    guard settings.account != nil || hasCertificate else { return false }
    guard capabilities.isOn("sasl") else {
      refuseLogin(wording.noMechanism(wording.nothingOffered))
      return true
    }
    let mechanism = SASLLogin.choose(
      offered: offered, wanted: settings.mechanism, hasCertificate: hasCertificate,
      hasPassword: accountPassword != nil && settings.account != nil, isPrivate: isPrivate,
      hasBinding: binding != nil)
    guard let mechanism else {
      let names = offered.isEmpty ? wording.nothingOffered : offered
      refuseLogin(wording.noMechanism(names))
      return true
    }
    do throws(ScramError) {
      login = try SASLLogin(
        mechanism, account: settings.account ?? "", password: accountPassword ?? "",
        binding: binding)
    } catch {
      refuseLogin(error.description)
      return true
    }
    say(OutgoingLine("AUTHENTICATE", mechanism.rawValue), urgently: true)
    return true
  }

  func takeAuthenticate(_ line: IncomingLine) {
    guard login != nil, let step = login?.take(line.parameter(0)) else { return }
    switch step {
    case .wait: break
    case .say(let parts):
      for part in parts { say(OutgoingLine("AUTHENTICATE", part), urgently: true) }
    case .fail(let reason):
      say(OutgoingLine("AUTHENTICATE", "*"), urgently: true)
      refuseLogin(reason)
    }
  }

  /// RPL_LOGGEDIN.
  func takeAccount(_ line: IncomingLine) {
    account = line.parameter(2)
  }

  /// RPL_SASLSUCCESS.
  func takeLoginSuccess() {
    guard let login else { return }
    if login.needsProof, !login.isProven {
      return refuseLogin(wording.loginTooSlow)
    }
    self.login = nil
    if account == nil { account = settings.account }
    endNegotiating()
  }

  /// ERR_SASLFAIL and its like.
  func takeLoginFailure(_ line: IncomingLine) {
    guard login != nil else { return }
    // One that named no mechanisms before may know another.
    if capabilities.offered["sasl"] == "", let list = mechanismList {
      (login, mechanismList, capabilities.offered["sasl"]) = (nil, nil, list)
      _ = beginLogin(list)
      return
    }
    refuseLogin(line.lastParameter)
  }

  /// Who has an account wants to be known by it: without, nothing is done in
  /// his name.
  func refuseLogin(_ reason: String) {
    login = nil
    accountPassword = nil
    let text = wording.loginFailed(settings.account ?? settings.nick, reason)
    giveUp(text, .auth)
  }

  /// The last resort, on networks without SASL.
  func loginByNickServ() {
    guard let name = settings.account, let accountPassword, account == nil,
      settings.mechanism == nil, capabilities.offered["sasl"] == nil
    else { return }
    guard isPrivate else { return tellUser(wording.nickServUnsafe) }
    say(
      OutgoingLine("PRIVMSG", "NickServ", trailing: "IDENTIFY \(name) \(accountPassword)"),
      urgently: true)
    tellUser(wording.askedNickServ(name))
  }
}
