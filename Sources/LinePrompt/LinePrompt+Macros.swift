import CReadline
import Glibc

/// Macros of inputrc and of the keyboard. Their keys go the way of those that
/// are typed: readline, called back, would not notice one that calls itself at
/// its end, and in the midst of one it jumps to where it is no longer.
extension LinePrompt {
  /// `rl_redisplay_function`: readline has handled a key. (What it wants drawn
  /// is drawn after each batch of keys, see `redraw()`.) Of a macro that the
  /// key has begun nothing has been read yet.
  func takeMacro() {
    var keys: [UInt8] = []
    while let macro = rl_executing_macro {
      keys += UnsafeRawBufferPointer(start: macro, count: strlen(macro))
      _rl_pop_executing_macro()
    }
    if !queue.prepend(macro: keys) { ring() }
  }
}
