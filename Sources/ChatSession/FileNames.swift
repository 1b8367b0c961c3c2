internal import Glibc

/// File names as they are typed in a command's argument.
enum FileNames {
  /// The names in a folder, sorted, without hidden ones; empty when it cannot
  /// be read.
  static func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a path leads to a folder (stat(2)).
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The paths that begin as `typed` does, quoted as ``split(_:)`` reads them.
  static func matching(_ typed: String) -> [String] {
    let typed = split(typed).first ?? ""
    let slash = typed.lastIndex(of: "/")
    let folder = slash.map { String(typed[...$0]) } ?? ""
    let beginning = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    return entries(of: folder.isEmpty ? "." : expanded(folder))
      .filter { $0.hasPrefix(beginning) }
      .map { quoted(folder + $0) + (isFolder(expanded(folder + $0)) ? "/" : " ") }
  }

  /// `~/` at the beginning is the home folder.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// The words of an argument, as a shell would split them: at blanks that
  /// are neither in quotes nor behind a backslash.
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == quote {
        quote = nil
      } else if character == "\\", quote != "'", let next = rest.popFirst() {
        word = (word ?? "") + String(next)
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let complete = word { words.append(complete) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// A word that ``split(_:)`` reads back as `name`.
  static func quoted(_ name: String) -> String {
    name.reduce(into: "") { result, character in
      if character.isWhitespace || "\\'\"".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
