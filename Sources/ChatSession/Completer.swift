package import ChatModel
package import LinePrompt
internal import TerminalText

/// Finds what Tab may complete, from what the session knows. Pure: files and
/// rooms are asked for through closures.
package struct Completer {
  package var commands: [Command]
  package var aliases: [String]
  /// What the far side of the room understands besides.
  package var farCommands: [String]
  /// Those who spoke last first.
  package var profiles: [Profile]
  /// Rooms that can be joined, by name, and what `/join` takes for each.
  package var rooms: () -> [(name: String, argument: String)]
  package var openRooms: () -> [String]
  package var files: (_ typed: String) -> [String]
  /// Numbers of messages that commands may name, newest first.
  package var messageNumbers: () -> [Int]

  /// What may stand at the cursor; `prefix` is the line up to it.
  package func complete(_ prefix: String) -> CompletionReply {
    if prefix.hasPrefix("/") && !prefix.hasPrefix("//") { return completeCommand(prefix) }
    return completeText(prefix, from: prefix.startIndex, isLineStart: true)
  }

  private func completion(
    _ prefix: String, from start: String.Index, _ candidates: [Candidate]
  ) -> CompletionReply {
    let lower = prefix.utf8.distance(from: prefix.startIndex, to: start)
    return CompletionReply(range: lower..<prefix.utf8.count, candidates: candidates)
  }

  private func completeCommand(_ prefix: String) -> CompletionReply {
    guard let blank = prefix.firstIndex(where: \.isWhitespace) else {
      let names = Set(commands.map(\.name) + aliases + farCommands)
      let candidates = names.filter { MatchKey(prefix.dropFirst()).isPrefix(of: $0) }.sorted()
        .map { Candidate(insert: "/\($0) ", label: "/\($0)") }
      return completion(prefix, from: prefix.startIndex, candidates)
    }
    let name = prefix[..<blank].dropFirst()
    let start = prefix[blank...].firstIndex { !$0.isWhitespace } ?? prefix.endIndex
    if let command = commands.first(where: { $0.name == name }) {
      return completeArgument(of: command, prefix, from: start)
    }
    guard farCommands.contains(String(name)) else { return CompletionReply() }
    return completeText(prefix, from: start, isLineStart: false)
  }

  private func completeArgument(
    of command: Command, _ prefix: String, from start: String.Index
  ) -> CompletionReply {
    let typed = String(prefix[start...])
    switch command.argument {
    case .none: return CompletionReply()
    case .profile: return completion(prefix, from: start, profileArguments(typed))
    case .room: return completion(prefix, from: start, matchingRooms(typed))
    case .openRoom: return completion(prefix, from: start, matching(typed, openRooms()))
    case .choice(let choices): return completion(prefix, from: start, matching(typed, choices()))
    case .command:
      return completion(
        prefix, from: start, matching(typed, commands.map(\.name) + farCommands))
    case .setting: return completeSetting(prefix, from: start, typed)
    case .files: return completeFile(prefix, from: start, typed)
    case .images: return completeImages(prefix, typed)
    case .message where !typed.contains(where: \.isWhitespace):
      let numbers = messageNumbers().prefix(20).map(String.init).filter { $0.hasPrefix(typed) }
      return completion(prefix, from: start, numbers.map { Candidate(insert: "\($0) ", label: $0) })
    case .message, .text:
      return completeText(prefix, from: start, isLineStart: false)
    }
  }

  private func completeFile(
    _ prefix: String, from start: String.Index, _ typed: String
  ) -> CompletionReply {
    let words = FileNames.split(typed)
    guard words.text == nil else { return completeText(prefix, from: start, isLineStart: false) }
    let last = String(typed[words.lastStart...])
    let length = last.utf8.count
    let candidates = files(last).map { Candidate(insert: $0, label: neutralized($0)) }
    return CompletionReply(
      range: prefix.utf8.count - length..<prefix.utf8.count, candidates: candidates)
  }

  private func completeImages(_ prefix: String, _ typed: String) -> CompletionReply {
    let start = FileNames.split(typed).lastStart
    let words = FileNames.split(String(typed[..<start])).words
    let last = String(typed[start...])
    var candidates: [String] = []
    if words.last == "save" {
      candidates = files(last).filter { $0.hasSuffix("/") }
    } else if words.allSatisfy({ Int($0) != nil }) {
      let numbers = words.isEmpty ? messageNumbers().prefix(20).map { "\($0) " } : []
      let actions = ["open ", "save ", "copy "] + (words.isEmpty ? ["all"] : [])
      candidates = (numbers + actions).filter { $0.hasPrefix(last) }
    }
    return CompletionReply(
      range: prefix.utf8.count - last.utf8.count..<prefix.utf8.count,
      candidates: candidates.map { Candidate(insert: $0, label: neutralized($0.trimmed)) })
  }

  private func matching(_ typed: String, _ values: [String]) -> [Candidate] {
    values.filter { MatchKey(typed).isPrefix(of: $0) }.map {
      Candidate(insert: $0, label: neutralized($0))
    }
  }

  private func matchingRooms(_ typed: String) -> [Candidate] {
    let key = MatchKey(typed)
    return rooms().filter { key.isPrefix(of: $0.name) || key.isPrefix(of: $0.argument) }
      .prefix(200).map { Candidate(insert: $0.argument, label: neutralized($0.name)) }
  }

  private func completeSetting(
    _ prefix: String, from start: String.Index, _ typed: String
  ) -> CompletionReply {
    guard let blank = typed.firstIndex(where: \.isWhitespace) else {
      return completion(prefix, from: start, matching(typed, SettingKey.all.map(\.name)))
    }
    guard let key = SettingKey.named(String(typed[..<blank])) else { return CompletionReply() }
    let value = prefix[
      prefix.index(start, offsetBy: typed.distance(from: typed.startIndex, to: blank))...
    ]
    .drop(while: \.isWhitespace)
    return completion(prefix, from: value.startIndex, matching(String(value), key.choices))
  }

  private func profileArguments(_ typed: String) -> [Candidate] {
    let reference = ProfileReference(profiles)
    return labelled(matchingProfiles(typed)) { reference.argument(for: $0) }
  }

  private func matchingProfiles(_ typed: String) -> [Profile] {
    let key = MatchKey(typed)
    return profiles.filter { key.isPrefix(of: $0.displayName) || key.isPrefix(of: $0.id) }
  }

  /// Candidates with names as labels, and with ids where several have the name.
  private func labelled(_ matching: [Profile], insert: (Profile) -> String) -> [Candidate] {
    var counts: [String: Int] = [:]
    for profile in profiles { counts[neutralized(profile.displayName), default: 0] += 1 }
    return matching.map { profile in
      let name = neutralized(profile.displayName)
      let isShared = counts[name, default: 0] > 1
      return Candidate(
        insert: insert(profile), label: isShared ? "\(name) (\(neutralized(profile.id)))" : name)
    }
  }

  /// Names and emoji within a text: `name: ` at a line's start, `@name `, and
  /// `:emoji:`.
  private func completeText(
    _ prefix: String, from start: String.Index, isLineStart: Bool
  ) -> CompletionReply {
    let text = prefix[start...]
    let wordStart = text.lastIndex(where: \.isWhitespace).map(text.index(after:)) ?? start
    let word = text[wordStart...]
    if word.hasPrefix(":"), word.count > 1 {
      let emoji = EmojiNames.matching(String(word.dropFirst())).prefix(50)
      return completion(
        prefix, from: wordStart,
        emoji.map { Candidate(insert: $0.emoji, label: "\($0.emoji) :\($0.name):") })
    }
    if let at = text.lastIndex(of: "@"), at == start || text[text.index(before: at)].isWhitespace {
      let typed = String(text[text.index(after: at)...])
      return completion(prefix, from: at, mentions(typed, before: "@", after: " "))
    }
    guard isLineStart, !text.isEmpty else { return CompletionReply() }
    return completion(prefix, from: start, mentions(String(text), before: "", after: ": "))
  }

  private func mentions(
    _ typed: String, before: String, after: String
  ) -> [Candidate] {
    labelled(matchingProfiles(typed)) { before + neutralized($0.displayName) + after }
  }
}
