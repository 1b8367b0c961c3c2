internal import Glibc
internal import Processes

/// A picture as rows of text, made by `chafa`.
///
/// Pictures come from strangers, so another process decodes them: with limits
/// of memory and time (prlimit(1), timeout(1)), and with nothing of its output let through
/// but text and colours.
package struct ImagePreview: Sendable {
  package var columns: Int
  package var rows: Int
  /// Whether colours may be used.
  package var hasColors: Bool
  package var environment: [String: String]

  package init(columns: Int, rows: Int, hasColors: Bool, environment: [String: String]) {
    self.columns = columns
    self.rows = rows
    self.hasColors = hasColors
    self.environment = environment
  }

  /// Why there is no picture.
  package enum Failure: Error, Equatable {
    case notInstalled
    case notAFile
    case undecodable
  }

  /// The rows of the picture in `file`, which must be a regular file.
  package func render(_ file: String) async -> Result<[String], Failure> {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(.notAFile) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(.notAFile)
    }
    guard let pipe = Pipe() else { return .failure(.undecodable) }
    let arguments = [
      "timeout", "--kill-after=1", "10", "prlimit", "--as=1073741824", "--cpu=10", "chafa",
      "--format=symbols", "--animate=off",
      "--colors=\(hasColors ? "256" : "none")", "--size=\(columns)x\(rows)", "-",
    ]
    let child: ChildProcess
    do {
      child = try ChildProcess(
        arguments, environment: environment, input: .descriptor(descriptor),
        output: .descriptor(pipe.writeEnd), error: .null)
    } catch {
      pipe.closeReadEnd()
      pipe.closeWriteEnd()
      return .failure(.notInstalled)
    }
    pipe.closeWriteEnd()
    var output: [UInt8] = []
    switch await child.waitUntilExit(whileRunning: {
      output = await pipe.collect(limit: 1 << 20)
    }) {
    case 0: return .success(Self.safeRows(output))
    case 127: return .failure(.notInstalled)
    default: return .failure(.undecodable)
    }
  }

  /// The rows of an output in which nothing but colours (SGR, ECMA-48 8.3.117)
  /// is let act; each row ends without any. Private sequences (`ESC[>4m`) look
  /// like colours and are none.
  static func safeRows(_ output: [UInt8]) -> [String] {
    let text = String(decoding: output, as: UTF8.self)
    return text.unicodeScalars.split(separator: "\n").map { row in
      var safe = String.UnicodeScalarView()
      var rest = row
      var isColored = false
      while let scalar = rest.popFirst() {
        if scalar == "\u{1b}" {
          guard let color = takeColor(&rest) else { continue }
          safe.append(contentsOf: "\u{1b}[\(color)m".unicodeScalars)
          isColored = !(color.isEmpty || color == "0")
        } else if ![.control, .format].contains(scalar.properties.generalCategory) {
          safe.append(scalar)
        }
      }
      return String(safe) + (isColored ? "\u{1b}[0m" : "")
    }
  }

  /// Takes the rest of a control sequence (ECMA-48, 5.4).
  /// - Returns: its parameters when it sets a colour, else nil.
  private static func takeColor(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    let parameters = rest.prefix { (0x20...0x3f).contains($0.value) }
    rest = rest[parameters.endIndex...]
    guard rest.popFirst() == "m" else { return nil }
    let isColor = parameters.allSatisfy { (0x30...0x3b).contains($0.value) }
    return isColor ? String(parameters) : nil
  }
}
