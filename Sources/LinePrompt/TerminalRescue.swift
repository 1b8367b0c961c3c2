import Glibc
import Synchronization

/// Puts the terminal back when the program ends by exit(3) with a prompt still
/// up. A lock guards it, for exit may be called on any thread.
enum TerminalRescue {
  private struct Memory {
    var settings: termios?
    var device: TerminalDevice?
    var isRegistered = false
    var bytes: [UInt8] = []
  }

  private static let memory = Mutex(Memory())

  /// Remembers how the terminal is now, and what to write to it at exit.
  static func remember(_ device: TerminalDevice, closing bytes: [UInt8]) {
    memory.withLock { memory in
      var settings = termios()
      guard tcgetattr(device.input, &settings) == 0 else { return }
      memory.settings = settings
      memory.device = device
      memory.bytes = bytes
      guard !memory.isRegistered else { return }
      memory.isRegistered = true
      atexit { TerminalRescue.restore() }
    }
  }

  /// The prompt has put the terminal back itself.
  static func forget() { memory.withLock { $0.settings = nil } }

  /// Puts the settings back without waiting for anything to be written.
  static func restoreSettings() {
    memory.withLock { memory in
      guard var settings = memory.settings, let device = memory.device, !device.isInBackground
      else { return }
      tcsetattr(device.input, TCSANOW, &settings)
      memory.settings = nil
    }
  }

  private static func restore() {
    memory.withLock { memory in
      guard var settings = memory.settings, let device = memory.device, !device.isInBackground
      else { return }
      tcsetattr(device.input, TCSADRAIN, &settings)
      device.write(memory.bytes)
      memory.settings = nil
    }
  }
}
