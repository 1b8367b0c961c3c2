/// A name as it is shown, with what is worked out once for each.
struct Sender {
  /// Neutralised, not blank, at most ``maximalColumns`` wide.
  let name: String
  /// The columns of the name.
  let columns: Int
  /// Begins the profile's colour.
  let color: String
  /// Whether it is oneself.
  let isOwn: Bool
  /// Whether the name has letters that run from right to left.
  let isRightToLeft: Bool
  /// Whether its letters are mixed as if to deceive.
  let isMixed: Bool

  /// No more of a name is shown.
  static let maximalColumns = 32
}

/// The names that were shown lately.
struct SenderCache {
  private struct Key: Hashable {
    let id: String
    let name: String
    let isOwn: Bool
  }

  private var senders: [Key: Sender] = [:]
  private static let capacity = 1024

  /// The sender, from the cache or made anew.
  mutating func sender(
    id: String, name: String, isOwn: Bool, options: TranscriptOptions
  ) -> Sender {
    let key = Key(id: id, name: name, isOwn: isOwn)
    if let known = senders[key] { return known }
    let shown = displayName(name, id: id, options: options)
    let sender = Sender(
      name: shown, columns: options.measure.columns(shown),
      color: options.palette.start(forProfile: id), isOwn: isOwn,
      isRightToLeft: hasRightToLeft(shown), isMixed: hasMixedScripts(shown))
    if senders.count >= Self.capacity { senders.removeAll(keepingCapacity: true) }
    senders[key] = sender
    return sender
  }
}

/// The name to show: the first of name and id in which there is something.
func displayName(_ name: String, id: String, options: TranscriptOptions) -> String {
  let wording = Wording(language: options.language)
  let fields = [name, id].lazy.map { field($0, columns: Sender.maximalColumns, options: options) }
  return fields.first { !$0.isEmpty } ?? wording.noName
}

/// A field of one line: neutralised, without blanks around it, cut to
/// `columns`.
///
/// Only its beginning is looked at, since it may be a megabyte.
func field(_ text: String, columns: Int, options: TranscriptOptions) -> String {
  let limit = columns * 8 + ClusterFilter.maximalScalars
  var beginning = text
  if text.utf8.count > limit {
    beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
  }
  return fitting(trimmed(neutralized(beginning)), columns: columns, options: options)
}

/// `text` cut to `columns`, with its directions closed.
func fitting(_ text: String, columns: Int, options: TranscriptOptions) -> String {
  let cut = options.measure.truncated(text, to: columns, ellipsis: options.ellipsis)
  guard hasDirections(cut) else { return cut }
  var balance = BidiBalance(mode: .paragraph)
  for scalar in cut.unicodeScalars { balance.take(scalar) }
  return balance.finish()
}

/// `text` without blanks and newlines at its ends.
func trimmed(_ text: String) -> String {
  guard let first = text.utf8.first, let last = text.utf8.last else { return text }
  if first > 0x20, first < 0x80, last > 0x20, last < 0x80 { return text }
  var rest = Substring(text)
  while let character = rest.first, character.isWhitespace { rest.removeFirst() }
  while let character = rest.last, character.isWhitespace { rest.removeLast() }
  return String(rest)
}
