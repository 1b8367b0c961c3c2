internal import Glibc

/// A program of the user's choice, the editor or the pager. It is what the
/// user wrote into the environment, so a shell reads it, as for every program.
package struct UserProgram: Sendable {
  /// As the user wrote it: a name, perhaps with arguments.
  package let command: String
  private let environment: [String: String]

  /// `$VISUAL` or `$EDITOR`; nil where neither is set and none is there.
  package static func editor(_ environment: [String: String]) -> UserProgram? {
    UserProgram(["VISUAL", "EDITOR"], otherwise: ["sensible-editor", "vi"], environment)
  }

  /// `$PAGER`; nil where it is not set and none is there.
  package static func pager(_ environment: [String: String]) -> UserProgram? {
    UserProgram(["PAGER"], otherwise: ["less", "more"], environment)
  }

  /// The first of the environment's variables that is set, or the first
  /// program that is there.
  private init?(
    _ variables: [String], otherwise names: [String], _ environment: [String: String]
  ) {
    let set = variables.lazy.compactMap { environment[$0]?.trimmed }.first { !$0.isEmpty }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let found = names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    guard let command = set ?? found else { return nil }
    self.command = command
    self.environment = environment
  }

  /// Whether it is less(1), which can begin at the end of its input.
  var isLess: Bool { command.firstWord.word.hasSuffix("less") }

  /// What is started, with `arguments` behind the user's own.
  package func argv(_ arguments: [String] = []) -> [String] {
    ["/bin/sh", "-c", "exec \(command) \"$@\"", "sh"] + arguments
  }

  /// Whether an exit status is the shell's own, for a program that cannot be
  /// run (POSIX, Shell Command Language, 2.8.2).
  package static func isNotRun(_ status: Int32) -> Bool { status == 126 || status == 127 }

  /// The environment that it gets.
  package var environmentForRun: [String: String] {
    var environment = environment
    // What git sets too: colours as they are, so that escapes never act.
    if environment["LESS"] == nil { environment["LESS"] = "R" }
    // Rows are UTF-8 whatever the locale is called.
    if environment["LESSCHARSET"] == nil { environment["LESSCHARSET"] = "utf-8" }
    return environment
  }
}
