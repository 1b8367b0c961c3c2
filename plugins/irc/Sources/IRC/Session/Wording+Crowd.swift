extension Wording {
  /// Who came, went and changed names, on one line.
  func crowd(_ notes: CrowdNotes) -> String {
    var parts: [String] = []
    if notes.split.count > 0 {
      let names = people(notes.split)
      parts.append(say("netsplit: \(names) left", "네트워크 분리: \(names) 나감"))
    }
    if notes.joined.count > 0 {
      let names = people(notes.joined)
      parts.append(say("\(names) joined", "\(names) 들어옴"))
    }
    if notes.left.count > 0 {
      let names = people(notes.left)
      let why = notes.left.count == 1 && !notes.reason.isEmpty ? " (\(notes.reason))" : ""
      parts.append(say("\(names) left\(why)", "\(names) 나감\(why)"))
    }
    if notes.renamed.count > 0 {
      parts.append(say("renamed: \(people(notes.renamed))", "별명 바뀜: \(people(notes.renamed))"))
    }
    return parts.joined(separator: "; ")
  }

  private func people(_ names: CrowdNotes.Names) -> String {
    let others = names.count - names.first.count
    guard others > 0 else {
      guard names.first.count > 1, let last = names.first.last else {
        return names.first.first ?? ""
      }
      let head = names.first.dropLast().joined(separator: ", ")
      return say("\(head) and \(last)", "\(head), \(last)")
    }
    let head = names.first.joined(separator: ", ")
    let noun = others == 1 ? "other" : "others"
    return say("\(head) and \(others) \(noun)", "\(head) 외 \(others)명")
  }
}
