internal import CPosix
internal import Glibc

/// The words of the command line, sorted into options and others.
struct Options {
  var name: String?
  var profileID: String?
  var style: String?
  var color: String?
  var tail: String?
  var count: String?
  var follows = false
  var isJSON = false
  var keepsLog = true
  var showsHelp = false
  var showsVersion = false
  /// What is no option, in its order.
  var words: [String] = []
  /// How many of `words` stood before `--`; only the first of these may be a
  /// subcommand.
  var wordsBeforeDashes = 0

  private struct Definition: Sendable {
    var long: String
    var short: Character?
    var hasArgument = false
    var apply: @Sendable (inout Options, String) -> Void
  }

  private static let definitions: [Definition] = [
    Definition(long: "as", hasArgument: true) { $0.name = $1 },
    Definition(long: "profile-id", hasArgument: true) { $0.profileID = $1 },
    Definition(long: "style", hasArgument: true) { $0.style = $1 },
    Definition(long: "color", hasArgument: true) { $0.color = $1 },
    Definition(long: "tail", hasArgument: true) { $0.tail = $1 },
    Definition(long: "lines", short: "n", hasArgument: true) { $0.count = $1 },
    Definition(long: "follow", short: "f") { options, _ in options.follows = true },
    Definition(long: "json") { options, _ in options.isJSON = true },
    Definition(long: "no-log") { options, _ in options.keepsLog = false },
    Definition(long: "help", short: "h") { options, _ in options.showsHelp = true },
    Definition(long: "version", short: "V") { options, _ in options.showsVersion = true },
  ]

  /// Codes of long options begin beyond those of characters.
  private static let firstCode: Int32 = 1_000

  /// Options may stand anywhere before `--` (getopt_long(3), in the mode that
  /// returns words in their order).
  init(_ arguments: [String]) throws(UsageError) {
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let names = Self.definitions.map { strdup($0.long) }
    defer { (argv + names).forEach { free($0) } }
    var long = zip(names.indices, names).map { index, name in
      option(
        name: name, has_arg: Self.definitions[index].hasArgument ? required_argument : no_argument,
        flag: nil, val: Self.firstCode + Int32(index))
    }
    long.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
    let count = Int32(arguments.count)
    var restarts = true
    while true {
      let found = posix_next_option(count, &argv, "-:n:fhV", &long, restarts)
      restarts = false
      if found.kind == -1 {
        wordsBeforeDashes = words.count
        words += arguments.dropFirst(Int(found.rest))
        return
      }
      try take(found)
    }
  }

  private mutating func take(_ found: posix_option) throws(UsageError) {
    let argument = found.argument.map { String(cString: $0) } ?? ""
    let word = found.word.map { String(cString: $0) } ?? ""
    switch found.kind {
    case 1: words.append(argument)
    case Int32(UInt8(ascii: "?")): throw UsageError("there is no option \(word)")
    case Int32(UInt8(ascii: ":")): throw UsageError("\(word) wants a value after it")
    default:
      guard let definition = Self.definition(found.kind) else { return }
      definition.apply(&self, argument)
    }
  }

  private static func definition(_ code: Int32) -> Definition? {
    if code >= firstCode { return definitions[Int(code - firstCode)] }
    return definitions.first { $0.short?.asciiValue.map(Int32.init) == code }
  }
}

/// A command line that makes no sense; exit status 64.
struct UsageError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
