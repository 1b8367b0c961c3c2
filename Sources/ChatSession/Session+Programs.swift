internal import Glibc
internal import Processes
internal import TerminalText

/// The user's own programs: the editor and the pager. Both are what the user
/// wrote into the environment, so a shell reads them, as for every program.
extension Session {
  /// Lends the terminal to a program and waits for its end; what arrives
  /// meanwhile waits.
  private func lendTerminal(
    _ command: String, _ arguments: [String], input: ChildProcess.Stream = .inherited,
    whileRunning: () async -> Void = {}
  ) async throws(ChildProcessError) -> Int32 {
    surface.release()
    isLent = true
    defer {
      isLent = false
      surface.reclaim()
      releaseHeld()
    }
    var environment = parts.environment
    // What git sets too: colours as they are, so that escapes never act.
    if environment["LESS"] == nil { environment["LESS"] = "R" }
    let child = try ChildProcess(
      ["/bin/sh", "-c", "exec \(command) \"$@\"", "sh"] + arguments, environment: environment,
      input: input)
    await whileRunning()
    return await child.waitUntilExit()
  }

  /// Opens the typed line in `$VISUAL` or `$EDITOR`; it comes back changed.
  func editLine() {
    guard !isLent else { return }
    let line = surface.line
    guard let editor = program(["VISUAL", "EDITOR"], otherwise: ["sensible-editor", "vi"]) else {
      return say(
        language("no editor: set EDITOR to one", "편집기가 없습니다. EDITOR를 지정하세요"))
    }
    run { [self] in
      do {
        let draft = try DraftFile(line)
        defer { draft.remove() }
        let status = try await lendTerminal(editor, [draft.path])
        guard status == 0 else {
          return returnLine(
            line, language("\(editor) ended with status \(status)", "\(editor) 종료 상태 \(status)"))
        }
        surface.replaceLine(try draft.read())
      } catch {
        returnLine(line, "\(error)")
      }
    }
  }

  /// Shows rows in `$PAGER`, at their end.
  func page(_ rows: [String]) async {
    guard let pager = program(["PAGER"], otherwise: ["less", "more"]),
      transcript.options.style != .plain
    else { return show(rows, messages: 0) }
    guard let pipe = Pipe() else {
      return say(language("too many files are open", "열린 파일이 너무 많습니다"))
    }
    let bytes = Array((rows.joined(separator: "\n") + "\n").utf8)
    let isLess = pager.firstWord.word.hasSuffix("less")
    do {
      _ = try await lendTerminal(
        pager, isLess ? ["+G"] : [], input: .descriptor(pipe.readEnd)
      ) {
        pipe.closeReadEnd()
        await pipe.feed(bytes)
      }
    } catch {
      pipe.closeReadEnd()
      pipe.closeWriteEnd()
      say("\(error)")
    }
  }

  /// The first of the environment's variables that is set, or the first
  /// program that is there.
  private func program(_ variables: [String], otherwise names: [String]) -> String? {
    for variable in variables {
      if let value = parts.environment[variable]?.trimmed, !value.isEmpty { return value }
    }
    let folders = (parts.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
  }
}

/// A private file that holds a line while it is edited.
private struct DraftFile {
  let path: String

  init(_ text: String) throws(CommandError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/banter-XXXXXX.txt".utf8CString)
    let descriptor = mkstemps(&template, 4)
    guard descriptor >= 0 else {
      throw CommandError("\(folder): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    var text = text + (text.isEmpty ? "" : "\n")
    let isWritten = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) == $0.count }
    if !isWritten { throw CommandError("\(path): \(String(cString: strerror(errno)))") }
  }

  /// What is in the file now, without the newline at its end.
  func read() throws(CommandError) -> String {
    guard let bytes = readFile(path, limit: 1 << 20) else {
      throw CommandError("\(path): \(String(cString: strerror(errno)))")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  func remove() { unlink(path) }
}

/// The contents of a small file; nil, with errno(3), when it cannot be read.
package func readFile(_ path: String, limit: Int) -> [UInt8]? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < limit {
    let count = read(descriptor, &block, min(block.count, limit - bytes.count))
    if count < 0 { return nil }
    if count == 0 { break }
    bytes += block.prefix(count)
  }
  return bytes
}
