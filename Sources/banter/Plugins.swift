internal import ChatSession
internal import Synchronization
internal import Transport

/// The plugins that are there, and those that run: one process for all rooms at
/// the same host under the same name.
final class Plugins: Sendable {
  let folders: PluginProgram.Folders
  private let links = Mutex<[String: PluginLink]>([:])

  init(folders: PluginProgram.Folders) {
    self.folders = folders
  }

  /// The plugin that is used for a scheme; nil where there is none.
  func program(for scheme: String) -> PluginProgram? {
    folders.programs(for: scheme).first
  }

  func link(
    to authority: String, _ program: PluginProgram, environment: [String: String]
  ) -> PluginLink {
    let name = "\(program.scheme)://\(authority)"
    return links.withLock { links in
      let link =
        links[name] ?? PluginLink(program, name: name, environment: environment)
      links[name] = link
      return link
    }
  }
}

/// Answers what a plugin asks for: a secret that is kept for it, once; the user
/// answers the rest.
final class PluginQuestioner: Questioner {
  private let stored: LoginSource
  private let asking: (any Questioner)?
  /// What was answered from what is kept: it was wrong if it is asked again.
  private let answered = Mutex<Set<String>>([])

  init(stored: @escaping LoginSource, asking: (any Questioner)?) {
    (self.stored, self.asking) = (stored, asking)
  }

  func answer(to question: Question) async -> String? {
    if question.kind == .secret, answered.withLock({ $0.insert(question.text).inserted }),
      let login = await stored(false)
    {
      return login.password
    }
    return await asking?.answer(to: question)
  }
}
