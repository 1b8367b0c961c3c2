internal import ChatModel
internal import ChatSession
internal import Glibc
internal import Processes
internal import Transport

/// Names and passwords for far sides that ask for them: from the user's own
/// command, or a file that only the user can read; never from the command
/// line.
extension Invocation {
  /// What answers a far side that asks who calls.
  /// - Parameters:
  ///   - host: `host:port`.
  ///   - user: the name in the address; else that of the file, or the profile.
  ///   - questioner: asks the user where neither knows; nil where nobody is
  ///     asked. The answer is kept for coming back after a break, and none is
  ///     sought twice at a time.
  func login(
    at host: String, user: String?, _ questioner: (any Questioner)?
  ) -> LoginSource {
    let language = language
    let command = settings.passwordCommand
    let shared = SharedLogin(isKept: command.isEmpty)
    let (path, environment, own) = (folders.passwords, environment, settings.profile.id)
    return { isRefused in
      if let line = PasswordFile(path: path)?.line(for: host, user: user) { return line }
      let name = user ?? own
      let text = language("password of \(name)", "\(name)의 비밀번호")
      let question = Question(asker: host, text: text, kind: .secret)
      let words = command.map {
        $0.replacing("{host}", with: host).replacing("{user}", with: name)
      }
      return await shared.find(isRefused: isRefused) {
        let password =
          words.isEmpty
          ? await questioner?.answer(to: question) : await firstLine(of: words, environment)
        guard let password, !password.isEmpty else { return nil }
        return Login(user: name, password: password, isTyped: words.isEmpty)
      }
    }
  }

  /// What answers a question for the secret of somebody, or something, else at
  /// a host. A command that does not know for whom it is asked has another.
  func secret(of user: String, at host: String) -> LoginSource {
    var invocation = self
    if !settings.passwordCommand.contains(where: { $0.contains("{user}") }) {
      invocation.settings.passwordCommand = []
    }
    return invocation.login(at: host, user: user, nil)
  }

  /// Whether the user has a login at a host: the address names him, or the
  /// passwords file has a line for it.
  func hasLogin(at host: String, user: String?) -> Bool {
    user != nil || PasswordFile(path: folders.passwords)?.line(for: host, user: nil) != nil
  }
}

/// Lines `HOST:PORT USER PASSWORD`; the password is the rest of the line.
private struct PasswordFile {
  private let lines: [Substring]

  /// Nil where there is none, or others can read it.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, let bytes = readFile(path, limit: 1 << 20) else { return nil }
    guard status.st_mode & 0o077 == 0 else {
      Banter.complain("\(path): others can read it, so it is not used; chmod 600 it")
      return nil
    }
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  func line(for host: String, user: String?) -> Login? {
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == host, words[1] == user ?? String(words[1]) else {
        continue
      }
      return Login(user: String(words[1]), password: String(words[2]))
    }
    return nil
  }
}

/// The first line that a program prints; nil when it fails.
private func firstLine(of words: [String], _ environment: [String: String]) async -> String? {
  // With the terminal: it may ask at the terminal, as long as that takes.
  let run = try? await ChildProcess.collect(
    words, environment: environment, error: .inherited, session: .inherited, limit: 1 << 16)
  guard let run, run.status == 0 else { return nil }
  let line = run.output.prefix { $0 != UInt8(ascii: "\n") }
  return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
}
