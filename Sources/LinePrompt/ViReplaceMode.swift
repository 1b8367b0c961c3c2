import CReadline

/// vi's `R`, by grapheme cluster: readline's own goes by code point.
@MainActor
enum ViReplaceMode {
  /// readline's name of a command, and what takes its place.
  static let replacements: [(String, ReadlineCommand)] = [
    ("vi-replace", { count, key in begin(count, key) }), ("vi-overstrike", typeCommand),
    ("vi-overstrike-delete", takeBackCommand), ("vi-redo", { count, key in redo(count, key) }),
  ]

  private static var overstrike = Overstrike()

  /// Whether it is on: then its keymap is neither of vi's others.
  static var isOn: Bool {
    guard rl_editing_mode == 0, let map = rl_get_keymap() else { return false }
    return Readline.address(map[0x20].function) == Readline.address(typeCommand)
  }

  private static func begin(_ count: Int32, _ key: Int32) -> Int32 {
    let status = rl_vi_replace(count, key)
    overstrike = Overstrike()
    guard let map = rl_get_keymap(), let insertion = rl_get_keymap_by_name("vi-insert") else {
      return status
    }
    for index in 0..<256 where map[index].type == ISFUNC {
      let function = Readline.address(map[index].function)
      if function == Readline.address(LinePrompt.originals["vi-overstrike"]) {
        map[index].function = typeCommand
      } else if function == Readline.address(LinePrompt.originals["vi-overstrike-delete"]) {
        map[index].function = takeBackCommand
      }
    }
    // The arrow keys mean here what they mean there.
    map[0x1B] = insertion[0x1B]
    return status
  }

  private static let typeCommand: ReadlineCommand = { count, key in
    var character = [UInt8(truncatingIfNeeded: key)]
    let length = key < 0xC0 ? 1 : key < 0xE0 ? 2 : key < 0xF0 ? 3 : 4
    rl_readline_state |= UInt(RL_STATE_MOREINPUT)
    while character.count < length, case let next = rl_read_key(), next >= 0 {
      character.append(UInt8(truncatingIfNeeded: next))
    }
    rl_readline_state &= ~UInt(RL_STATE_MOREINPUT)
    overstrike.type(String(decoding: character, as: UTF8.self))
    return 0
  }

  private static let takeBackCommand: ReadlineCommand = { count, key in
    guard !overstrike.takeBack() else { return 0 }
    rl_ding()
    return 1
  }

  /// `.` types over again what the last `R` has.
  private static func redo(_ count: Int32, _ key: Int32) -> Int32 {
    guard _rl_vi_last_command == Int32(UInt8(ascii: "R")) else { return rl_vi_redo(count, key) }
    let text = overstrike.typed
    guard !text.isEmpty else { return 0 }
    var again = Overstrike()
    rl_begin_undo_group()
    again.type(String(repeating: text, count: Readline.bounded(count, of: text.utf8.count)))
    rl_end_undo_group()
    rl_point = Int32(Clusters(Readline.line).before(Int(rl_point)))
    return 0
  }
}
