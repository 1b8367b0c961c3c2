import CReadline

/// A command of readline's kind: a count and the key that called it.
typealias ReadlineCommand = @MainActor @Sendable @convention(c) (Int32, Int32) -> Int32

extension LinePrompt {
  /// readline's name of a command, and what takes its place.
  private static let replacements: [(String, ReadlineCommand)] =
    ClusterCommands.replacements + ViCommands.replacements + ViReplaceMode.replacements + [
      ("complete", completeCommand), ("possible-completions", listCommand),
      ("menu-complete", menuCommand), ("menu-complete-backward", menuBackwardCommand),
      ("insert-completions", insertCompletionsCommand), ("vi-complete", viCompleteCommand),
      ("delete-char-or-list", deleteOrListCommand), ("clear-screen", clearCommand),
      ("clear-display", clearCommand), ("bracketed-paste-begin", pasteBeginCommand),
    ]

  /// readline's own command of each name that means one of ours now.
  static private(set) var originals: [String: @convention(c) (Int32, Int32) -> Int32] = [:]

  /// Gives the names of readline's commands our meaning, before inputrc is
  /// read and for each later time.
  func renameCommands() {
    guard Self.originals.isEmpty else { return }
    rl_initialize_funmap()
    let own = Dictionary(Self.replacements) { $1 }
    var entry = funmap
    while let command = entry?.pointee {
      let name = String(cString: command.pointee.name)
      if let replacement = own[name] {
        Self.originals[name] = command.pointee.function
        command.pointee.function = replacement
      }
      entry = entry?.advanced(by: 1)
    }
  }

  /// Puts our commands in the place of readline's own, wherever they are bound:
  /// a key that inputrc gives another meaning keeps it.
  func installCommands() {
    for (name, own) in Self.replacements { replace(name, by: own) }
    replaceEscape()
    rl_completion_entry_function = { _, _ in nil }
    keyConflicts = []
    let emacs = ["emacs-standard", "vi-insert"]
    bind("\u{1B}\r", named: "M-Enter", in: emacs, newlineCommand, over: "vi-editing-mode")
    bind("\u{1B}\n", named: "M-C-j", in: emacs, newlineCommand, over: "vi-editing-mode")
    bind("\u{1B}e", named: "M-e", in: emacs, editorCommand)
    bind("\u{1B}a", named: "M-a", in: emacs, nextRoomCommand)
    bind("\u{1B}h", named: "M-h", in: emacs, hideCommand)
    bind("v", named: "v", in: ["vi-command"], editorCommand)
  }

  /// Binds our command to every key sequence of readline's command `name`.
  private func replace(_ name: String, by own: ReadlineCommand) {
    guard let original = Self.originals[name] else { return }
    for mapName in ["emacs-standard", "vi-insert", "vi-command"] {
      guard let map = rl_get_keymap_by_name(mapName) else { continue }
      guard let sequences = rl_invoking_keyseqs_in_map(original, map) else { continue }
      var index = 0
      while let sequence = sequences[index] {
        rl_bind_keyseq_in_map(sequence, own, map)
        rl_free(sequence)
        index += 1
      }
      rl_free(sequences)
    }
  }

  /// In vi's insertion, ESC alone is one of the keys that begin with ESC.
  private func replaceEscape() {
    guard let map = rl_get_keymap_by_name("vi-insert"), map[0x1B].type == ISKMAP else { return }
    let escape = unsafeBitCast(map[0x1B].function, to: Keymap?.self)
    let original = Self.originals["vi-movement-mode"]
    guard let alone = escape?.advanced(by: Int(ANYOTHERKEY)),
      Readline.address(alone.pointee.function) == Readline.address(original)
    else { return }
    alone.pointee.function = { count, key in ViCommands.endInsertion(count, key) }
  }

  /// Binds a key that is ours unless the user has bound it.
  private func bind(
    _ sequence: String, named name: String, in maps: [String], _ own: ReadlineCommand,
    over replaced: String? = nil
  ) {
    for mapName in maps {
      guard let map = rl_get_keymap_by_name(mapName) else { continue }
      var kind: Int32 = 0
      let bound = Readline.address(rl_function_of_keyseq(sequence, map, &kind))
      let known = [replaced, "do-lowercase-version"].compactMap { $0 }
      let isFree =
        bound == nil || bound == Readline.address(own)
        || known.contains { Readline.address(rl_named_function($0)) == bound }
      if isFree {
        rl_bind_keyseq_in_map(sequence, own, map)
      } else if !keyConflicts.contains(name), isCurrentMode(mapName) {
        keyConflicts.append(name)
      }
    }
  }

  private func isCurrentMode(_ mapName: String) -> Bool {
    (rl_editing_mode == 1) == (mapName == "emacs-standard")
  }

  /// Whether the key before this one was Tab, too.
  var isRepeatedCompletion: Bool {
    Readline.address(rl_last_func) == Readline.address(completeCommand)
  }

  /// Whether the key before this one went through the same candidates.
  var isRepeatedMenu: Bool {
    let last = Readline.address(rl_last_func)
    return [menuCommand, menuBackwardCommand].contains { Readline.address($0) == last }
  }
}

private let completeCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.complete()
  return 0
}

private let listCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.listCompletions()
  return 0
}

private let menuCommand: ReadlineCommand = { count, _ in
  LinePrompt.active?.menuComplete(by: Int(count))
  return 0
}

private let menuBackwardCommand: ReadlineCommand = { count, _ in
  LinePrompt.active?.menuComplete(by: -Int(count))
  return 0
}

private let insertCompletionsCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.insertCompletions()
  return 0
}

private let viCompleteCommand: ReadlineCommand = { _, key in
  LinePrompt.active?.completeForVi(key: key)
  return 0
}

private let deleteOrListCommand: ReadlineCommand = { count, key in
  let isAtEnd = rl_end > 0 && rl_point == rl_end
  return isAtEnd ? listCommand(count, key) : ClusterCommands.delete(Int(count))
}

/// Pastes never come to readline: it would wait for an end that has been taken
/// out.
private let pasteBeginCommand: ReadlineCommand = { _, _ in 0 }

private let clearCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.clearScreen()
  return 0
}

private let newlineCommand: ReadlineCommand = { _, _ in
  rl_insert_text("\n")
  return 0
}

private let editorCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.requests.append(\.onEditorRequested)
  return 0
}

private let nextRoomCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.requests.append(\.onNextRoom)
  return 0
}

private let hideCommand: ReadlineCommand = { _, _ in
  LinePrompt.active?.requests.append(\.onHideRequested)
  return 0
}
