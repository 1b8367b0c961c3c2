package import TerminalText

/// What the plugin says by itself, in the user's language.
package struct Wording: Sendable {
  let language: Language

  package init(language: Language) {
    self.language = language
  }

  func say(_ english: String, _ korean: String) -> String {
    language == .korean ? korean : english
  }

  // MARK: - The connection

  func badAddress(_ address: String) -> String {
    say(
      "\(address.isEmpty ? "the address" : address) is no address of IRC: "
        + "write irc://nick@host/#channel or ircs://host/#channel",
      "\(address.isEmpty ? "주소가" : "\(address)은(는)") IRC 주소가 아닙니다: "
        + "irc://별명@호스트/#채널 또는 ircs://호스트/#채널로 적으세요")
  }

  var hungUp: String { say("the server hung up", "서버가 연결을 끊었습니다") }
  package var hungUpBeforeTLS: String {
    say(
      "the server hung up before TLS was there; check whether this port speaks TLS",
      "TLS가 시작되기 전에 서버가 연결을 끊었습니다. 이 포트가 TLS인지 확인하세요")
  }
  package func lineTooLong(_ limit: Int) -> String {
    say(
      "the server sent a line of more than \(limit) bytes", "서버가 \(limit)바이트보다 긴 줄을 보냈습니다")
  }
  package var wrongPin: String {
    say(
      "the server's certificate is not the one that the setting pin names; "
        + "somebody may stand between, or the server has a new one",
      "서버 인증서가 pin 설정의 것과 다릅니다. 누가 사이에 있거나 인증서가 새로 바뀐 것입니다")
  }
  package func untrusted(_ problem: String, _ fingerprint: String) -> String {
    say(
      "\(problem); to trust it all the same, set pin to \(fingerprint)",
      "\(problem). 그래도 믿으려면 pin을 \(fingerprint)(으)로 설정하세요")
  }
  var silent: String {
    say("the server has not answered for too long", "서버가 너무 오래 응답하지 않습니다")
  }
  var tooSlow: String {
    say("the server did not let in for too long", "서버가 너무 오래 들여보내지 않습니다")
  }
  func saidGoodbye(_ reason: String) -> String {
    say("the server said: \(reason)", "서버의 말: \(reason)")
  }
  func banned(_ reason: String) -> String {
    say("this server does not let you in: \(reason)", "이 서버에 들어갈 수 없습니다: \(reason)")
  }
  var movesToTLS: String {
    say("the server wants TLS; calling it again with TLS", "서버가 TLS를 요구하여 TLS로 다시 연결합니다")
  }

  // MARK: - Logging in

  func passwordOf(account: String, host: String) -> String {
    say("password of \(account) at \(host)", "\(host)의 \(account) 비밀번호")
  }
  func passwordOf(server: String) -> String {
    say("password of the server \(server)", "서버 \(server)의 비밀번호")
  }
  func loginFailed(_ account: String, _ reason: String) -> String {
    say(
      "the login as \(account) was refused: \(reason)",
      "\(account)(으)로 로그인할 수 없습니다: \(reason)")
  }
  func noMechanism(_ offered: String) -> String {
    say(
      "the server offers no way to log in that can be used here (it offers \(offered))",
      "쓸 수 있는 로그인 방법이 서버에 없습니다(서버의 방법: \(offered))")
  }
  var nothingOffered: String { say("none", "없음") }
  var loginTooSlow: String { say("the server does not answer", "서버가 응답하지 않습니다") }
  var passedOver: String {
    say("the server went on without waiting for it", "서버가 로그인을 기다리지 않았습니다")
  }
  func askedNickServ(_ account: String) -> String {
    say(
      "the server knows no SASL: NickServ was asked to let in \(account)",
      "서버에 SASL이 없어 NickServ에 \(account)(으)로 로그인했습니다")
  }
  var nickServUnsafe: String {
    say(
      "you are not logged in: the server knows no SASL, and without TLS NickServ is told no password",
      "로그인하지 않았습니다: 서버에 SASL이 없고, TLS 없이는 NickServ에 비밀번호를 보내지 않습니다")
  }
  func passUnsafe(_ host: String) -> String {
    say(
      "the password of \(host) would cross the network readable by all: write ircs://, "
        + "or set plainPassword to yes",
      "\(host)의 비밀번호가 누구나 읽을 수 있게 전송됩니다. ircs://로 적거나 plainPassword를 yes로 설정하세요")
  }
  func nickTaken(_ wanted: String, _ nick: String) -> String {
    say(
      "\(wanted) is taken: you are \(nick) until it is free",
      "\(wanted) 별명은 사용 중입니다: 비워질 때까지 \(nick)(으)로 있습니다")
  }
  func nickInvalid(_ wanted: String, _ nick: String) -> String {
    say(
      "the server does not take the name \(wanted): you are \(nick)",
      "서버가 \(wanted) 별명을 받지 않습니다: \(nick)(으)로 있습니다")
  }

  // MARK: - Rooms

  func forwarded(_ room: String, _ other: String) -> String {
    say("\(room) forwards to \(other)", "\(room)에서 \(other)(으)로 옮겨졌습니다")
  }
  func kicked(_ room: String, by nick: String, _ reason: String) -> String {
    let why = reason.isEmpty ? "" : ": \(reason)"
    return say("\(nick) has kicked you out of \(room)\(why)", "\(nick) 님이 \(room)에서 내보냈습니다\(why)")
  }
  func kicked(_ other: String, by nick: String, reason: String) -> String {
    let why = reason.isEmpty ? "" : ": \(reason)"
    return say("\(nick) has kicked \(other)\(why)", "\(nick) 님이 \(other) 님을 내보냈습니다\(why)")
  }
  func cannotEnter(_ room: String, _ reason: String) -> String {
    say("\(room) cannot be entered: \(reason)", "\(room)에 들어갈 수 없습니다: \(reason)")
  }
  func leftByForce(_ room: String) -> String {
    say(
      "you are not in \(room) any more; what you say next enters it again",
      "더는 \(room)에 있지 않습니다. 다시 말하면 들어갑니다")
  }
  func sameRoom(_ name: String, _ room: String) -> String {
    say("\(name) is the same as \(room), where you are", "\(name)은(는) 이미 들어가 있는 \(room)과(와) 같습니다")
  }
  func notInside(_ room: String) -> String {
    say("you are not in \(room): /join \(room) first", "\(room)에 있지 않습니다. 먼저 /join \(room)")
  }
  func topic(by nick: String, _ topic: String) -> String {
    topic.isEmpty
      ? say("\(nick) has cleared the topic", "\(nick) 님이 주제를 지웠습니다")
      : say("\(nick) has set the topic: \(topic)", "\(nick) 님이 주제를 정했습니다: \(topic)")
  }
  /// - Parameter hit: whom a ban among them is about.
  func mode(by nick: String, _ modes: String, _ hit: [String] = []) -> String {
    let names = hit.isEmpty ? "" : " (\(hit.joined(separator: ", ")))"
    return say("\(nick) sets mode \(modes)\(names)", "\(nick) 님이 모드를 바꿨습니다: \(modes)\(names)")
  }
  func invited(by nick: String, to room: String) -> String {
    say(
      "\(nick) invites you to \(room): /join \(room)",
      "\(nick) 님이 \(room)에 초대했습니다: /join \(room)")
  }
  func invited(_ other: String, by nick: String) -> String {
    say("\(nick) has invited \(other)", "\(nick) 님이 \(other) 님을 초대했습니다")
  }
  func whispers(_ nick: String) -> String {
    say(
      "\(nick) writes to you alone: /join \(nick) shows it",
      "\(nick) 님이 귓속말을 보냈습니다: /join \(nick)으로 봅니다")
  }
  var mayBeMissing: String {
    say(
      "the connection was gone: what was said meanwhile may be missing here",
      "연결이 끊겼던 동안의 말은 여기에 없을 수 있습니다")
  }
  var tooMuchMissed: String {
    say("more was said than is kept here", "여기에 보관되지 않은 말이 더 있습니다")
  }
}

extension Wording {
  func keyOf(_ room: String, host: String) -> String {
    say("key of \(room) at \(host)", "\(host)의 \(room) 열쇠")
  }
  func wrongKey(of room: String) -> String {
    say("this is not the key of \(room)", "\(room)의 열쇠가 아닙니다")
  }
  func noRoom(_ name: String) -> String {
    name.isEmpty
      ? say(
        "the address names no room: write irc://host/#channel, or irc://host/nick",
        "주소에 방이 없습니다: irc://호스트/#채널 또는 irc://호스트/별명으로 적으세요")
      : say("\(name) cannot be a channel or a nick", "\(name)은(는) 채널이나 별명이 될 수 없습니다")
  }
  func nobody(_ nick: String) -> String {
    say("nobody is called \(nick) here", "여기에 \(nick)(이)라는 사람은 없습니다")
  }
}
