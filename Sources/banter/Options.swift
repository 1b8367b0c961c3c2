internal import CPosix
internal import ChatSession
internal import Glibc

/// The words of the command line, sorted into options and others.
struct Options {
  var name: String?
  var profileID: String?
  var style: String?
  var color: String?
  var tail: String?
  var count: String?
  var room: String?
  var since: String?
  var format: String?
  var output: String?
  var attachments: [String] = []
  var listen: [String] = []
  var socketMode: String?
  var socketGroup: String?
  var maximumConnections: String?
  var maximumRate: String?
  var maximumFile: String?
  var certificate: String?
  var key: String?
  var usesStandardStreams = false
  var isOpen = false
  var isInsecure = false
  var isReadOnly = false
  var mayWrite = false
  var allowsAllRooms = false
  var makesRooms = true
  var queues = true
  var follows = false
  var isJSON = false
  var keepsLog = true
  var showsHelp = false
  var showsVersion = false
  /// The options that were given, by their long names.
  private(set) var given: [String] = []
  /// What is no option, in its order.
  var words: [String] = []
  /// How many of `words` stood before `--`; only the first of these may be a
  /// subcommand.
  var wordsBeforeDashes = 0

  /// Codes of long options begin beyond those of characters.
  private static let firstCode: Int32 = 1_000

  /// Options may stand anywhere before `--` (getopt_long(3), in the mode that
  /// returns words in their order).
  init(_ arguments: [String]) throws(UsageError) {
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let names = Option.all.map { strdup($0.long) }
    defer { (argv + names).forEach { free($0) } }
    var long = zip(names, Option.all).enumerated().map { index, pair in
      option(
        name: pair.0, has_arg: pair.1.value == nil ? no_argument : required_argument,
        flag: nil, val: Self.firstCode + Int32(index))
    }
    long.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
    let count = Int32(arguments.count)
    var restarts = true
    while true {
      let found = posix_next_option(count, &argv, Self.shortOptions, &long, restarts)
      restarts = false
      if found.kind == -1 {
        wordsBeforeDashes = words.count
        words += arguments.dropFirst(Int(found.rest))
        return
      }
      try take(found)
    }
  }

  /// `-` returns words in their order, `:` tells a missing value apart.
  private static var shortOptions: String {
    "-:"
      + Option.all.compactMap { option in
        option.short.map { "\($0)\(option.value == nil ? "" : ":")" }
      }.joined()
  }

  private mutating func take(_ found: posix_option) throws(UsageError) {
    let argument = found.argument.map { String(cString: $0) } ?? ""
    let word = found.word.map { String(cString: $0) } ?? ""
    switch found.kind {
    case 1: words.append(argument)
    case Int32(UInt8(ascii: "?")):
      throw UsageError(
        "there is no option \(word); banter --help lists them",
        "\(word) 옵션은 없습니다. banter --help를 보세요")
    case Int32(UInt8(ascii: ":")):
      throw UsageError("\(word) wants a value after it", "\(word) 뒤에 값이 필요합니다")
    default:
      guard let option = Self.definition(of: found.kind) else { return }
      option.apply(&self, argument)
      given.append(option.long)
    }
  }

  private static func definition(of code: Int32) -> Option? {
    if code >= firstCode { return Option.all[Int(code - firstCode)] }
    return Option.all.first { $0.short?.asciiValue.map(Int32.init) == code }
  }
}

/// A command line that makes no sense; exit status 64.
struct UsageError: Error {
  var text: LocalizedText

  init(_ english: String, _ korean: String) {
    text = LocalizedText(english, korean)
  }
}
