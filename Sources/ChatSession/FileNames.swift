internal import FileSystem
internal import Glibc
internal import TerminalText

/// File names as they are typed in a command's argument.
enum FileNames {
  /// The names in a folder, sorted; hidden ones only when they are asked for.
  /// Empty when it cannot be read.
  static func entries(of folder: String, hidden: Bool = false) -> [String] {
    FolderEntries(folder)?.filter { hidden || !$0.hasPrefix(".") }.sorted() ?? []
  }

  /// Whether a path leads to a folder (stat(2)).
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The paths that begin as `typed` does, quoted as ``split(_:)`` reads them;
  /// where there are none, those that do but for case and normal form.
  static func matching(_ typed: String) -> [String] {
    let typed = split(typed).words.first?.unicodeScalars ?? "".unicodeScalars
    if String(typed) == "~" { return ["~/"] }
    let nameStart = typed.lastIndex(of: "/").map(typed.index(after:)) ?? typed.startIndex
    let (folder, beginning) = (String(typed[..<nameStart]), String(typed[nameStart...]))
    let names = entries(
      of: folder.isEmpty ? "." : expanded(folder), hidden: beginning.hasPrefix("."))
    let alike = names.filter { $0.utf8.starts(with: beginning.utf8) }
    let key = MatchKey(beginning)
    return (alike.isEmpty ? names.filter { key.isPrefix(of: $0) } : alike)
      .map { quoted(folder + $0) + (isFolder(expanded(folder + $0)) ? "/" : " ") }
  }

  /// `~` alone or before `/` at the beginning is the home folder.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// An argument of words, as a shell would split it, and then text.
  struct Words {
    var words: [String] = []
    /// Where the word begins that the argument ends with; its end when it
    /// ends with a blank.
    var lastStart: String.Index
    /// What stands behind `--`, as it was typed; nil where there is no `--`.
    var text: String?
  }

  /// The words of an argument: between blanks that are neither in quotes nor
  /// behind a backslash, up to a `--` by itself.
  static func split(_ argument: String) -> Words {
    let scalars = argument.unicodeScalars
    var result = Words(lastStart: argument.endIndex)
    var index = scalars.startIndex
    while true {
      index = scalars[index...].firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
      result.lastStart = index
      guard index < scalars.endIndex else { return result }
      let (word, end) = self.word(in: scalars, from: index)
      if String(scalars[index..<end]) == "--" {
        result.text = String(scalars[end...]).trimmed
        return result
      }
      result.words.append(word)
      if end == scalars.endIndex { return result }
      index = end
    }
  }

  /// The word that begins at `start`, without its quotes and backslashes, and
  /// where it ends.
  private static func word(
    in scalars: String.UnicodeScalarView, from start: String.Index
  ) -> (word: String, end: String.Index) {
    var word = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var index = start
    while index < scalars.endIndex {
      var scalar = scalars[index]
      if quote == nil && scalar.properties.isWhitespace { break }
      scalars.formIndex(after: &index)
      if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "'" || scalar == "\"" {
        quote = scalar
      } else {
        if scalar == "\\", quote != "'", index < scalars.endIndex {
          scalar = scalars[index]
          scalars.formIndex(after: &index)
        }
        word.append(scalar)
      }
    }
    return (String(word), index)
  }

  /// A word that a shell reads back as `name` (sh(1), Quoting), where it needs
  /// any quotes.
  static func shellQuoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber || "/._-+,@%:=".utf8.contains(byte)
    }
    guard !isPlain || name.isEmpty else { return name }
    return "'"
      + name.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: #"'\''"#) + "'"
  }

  /// A word that ``split(_:)`` reads back as `name`, which is not empty.
  static func quoted(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar.properties.isWhitespace || "\\'\"".unicodeScalars.contains(scalar) {
        result.append("\\")
      }
      result.append(scalar)
    }
    return name == "--" ? "\\" + String(result) : String(result)
  }
}
