import CReadline
import Glibc

/// Readline's state, in Swift's words (readline manual, "Readline Variables").
@MainActor
enum Readline {
  /// The line buffer, UTF-8, without the closing NUL.
  static var lineBytes: [UInt8] {
    guard let buffer = rl_line_buffer, rl_end > 0 else { return [] }
    return UnsafeRawBufferPointer(start: buffer, count: Int(rl_end)).map { $0 }
  }

  /// The line buffer as text.
  static var line: String { String(decoding: lineBytes, as: UTF8.self) }

  /// Whether a history search has taken the line's place.
  static var isSearching: Bool { has(RL_STATE_ISEARCH | RL_STATE_NSEARCH) }

  /// Whether readline waits for the rest of a command.
  static var isPending: Bool {
    has(RL_STATE_NUMERICARG | RL_STATE_VIMOTION | RL_STATE_MULTIKEY | RL_STATE_CHARSEARCH)
      || _rl_callback_func != nil
  }

  /// Whether a byte, as the next key, is inserted into the line and does
  /// nothing else.
  static func inserts(_ byte: UInt8) -> Bool {
    guard !isSearching, !isPending, let entry = rl_get_keymap()?[Int(byte)] else { return false }
    return entry.type == ISFUNC && unsafeBitCast(entry.function, to: Int.self) == insertion
  }

  private static let insertion = unsafeBitCast(rl_named_function("self-insert"), to: Int.self)

  /// Whether vi's command mode is on.
  static var isViCommandMode: Bool {
    rl_editing_mode == 0 && rl_get_keymap() == rl_get_keymap_by_name("vi-command")
  }

  /// Whether any bit of `state` is set.
  static func has(_ state: Int32) -> Bool { rl_readline_state & UInt(state) != 0 }

  /// The value of a variable of inputrc.
  static func variable(_ name: String) -> String? {
    rl_variable_value(name).map { String(cString: $0) }
  }

  /// `keyseq-timeout`, in milliseconds; 500 if it is not positive.
  static var keyTimeout: Int {
    let value = variable("keyseq-timeout").flatMap { Int($0) } ?? 0
    return value > 0 ? value : 500
  }

  /// Puts `text` in place of the line, as one edit that undo takes back.
  static func replaceLine(_ text: String) { replace(0..<Int(rl_end), with: text) }

  /// Puts `text` in place of a part of the line, in bytes, as one edit; the
  /// cursor stands behind it.
  static func replace(_ range: Range<Int>, with text: String) {
    rl_begin_undo_group()
    rl_delete_text(Int32(range.lowerBound), Int32(range.upperBound))
    rl_point = Int32(range.lowerBound)
    rl_insert_text(text)
    rl_end_undo_group()
  }

  /// Makes one insertion of the newest ones that follow each other without a
  /// gap: readline begins another one every twenty letters.
  static func joinInsertions() {
    var joined: (start: Int32, end: Int32)?
    var (start, end): (Int32, Int32) = (-1, -1)
    var depth = 0
    var entry = rl_undo_list
    var rest = entry
    // The newest come first, and the end of a group before its beginning.
    while let edit = entry?.pointee {
      switch edit.what {
      case UNDO_END: depth += 1
      case UNDO_BEGIN: depth -= 1
      case UNDO_INSERT where start < 0 || edit.end == start:
        if start < 0 { end = edit.end }
        start = edit.start
      default: depth = -1
      }
      guard depth >= 0 else { break }
      entry = edit.next
      guard depth == 0, start >= 0 else { continue }
      joined = (start, end)
      rest = entry
    }
    guard let joined else { return }
    while let edit = rl_undo_list, edit != rest {
      rl_undo_list = edit.pointee.next
      free(edit)
    }
    rl_add_undo(UNDO_INSERT, joined.start, joined.end, nil)
  }

  /// How often to repeat text of `size` bytes that is to be repeated `count`
  /// times: once at least, and not so often that the line becomes endless.
  static func bounded(_ count: Int32, of size: Int) -> Int {
    max(1, min(Int(count), (1 << 20) / max(1, size)))
  }

  /// What tells one C function from another; its type must be one of C.
  static func address<Function>(_ function: Function) -> UnsafeRawPointer? {
    unsafeBitCast(function, to: UnsafeRawPointer?.self)
  }

  /// Inserts `text` at the cursor as one edit.
  static func insert(_ text: String) {
    rl_begin_undo_group()
    rl_insert_text(text)
    rl_end_undo_group()
  }

  /// Gives readline its next key. In the midst of a key sequence readline 8.2,
  /// called back, forgets that the command before was a kill, and after one it
  /// does not see that this command was none.
  static func readKey() {
    let kills = _rl_last_command_was_kill
    let isSequence = has(RL_STATE_MULTIKEY)
    rl_callback_read_char()
    if has(RL_STATE_MULTIKEY) {
      _rl_last_command_was_kill = kills
    } else if isSequence, _rl_last_command_was_kill == kills {
      _rl_last_command_was_kill = 0
    }
  }

  /// Makes readline silent while `body` runs.
  static func withoutBell(_ body: () -> Void) {
    let style = variable("bell-style") ?? "audible"
    rl_variable_bind("bell-style", "none")
    body()
    rl_variable_bind("bell-style", style)
  }
}
