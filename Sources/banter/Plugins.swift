internal import ChatSession
internal import Synchronization
internal import Transport

/// The plugins that are there, and those that run: one process for all rooms at
/// the same host under the same name.
final class Plugins: Sendable {
  private let environment: [String: String]
  private let data: String
  private let links = Mutex<[String: PluginLink]>([:])

  /// - Parameter data: Banter's data folder.
  init(environment: [String: String], data: String) {
    (self.environment, self.data) = (environment, data)
  }

  /// Where they are; few commands want to know.
  var folders: PluginProgram.Folders {
    PluginProgram.Folders(environment: environment, data: data, program: Invocation.program)
  }

  /// The plugin that is used for a scheme; nil where there is none.
  func program(for scheme: String) -> PluginProgram? {
    folders.programs(for: scheme).first
  }

  func link(to authority: String, _ program: PluginProgram) -> PluginLink {
    let name = "\(program.scheme)://\(authority)"
    return links.withLock { links in
      let link =
        links[name] ?? PluginLink(program, name: name, environment: environment)
      links[name] = link
      return link
    }
  }
}

/// Answers what a plugin asks for: with a secret that is kept for it, unless that
/// was wrong; the user answers the rest.
struct PluginQuestioner: Questioner {
  /// What is kept for a name; nil is the user's own account.
  let stored: @Sendable (_ user: String?) -> LoginSource
  let asking: (any Questioner)?

  func answer(to question: Question) async -> String? {
    if question.kind == .secret, !question.isRepeated,
      let login = await stored(question.user)(false)
    {
      return login.password
    }
    return await asking?.answer(to: question)
  }
}
