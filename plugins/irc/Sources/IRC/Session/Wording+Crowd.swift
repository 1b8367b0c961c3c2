extension Wording {
  /// Who came and went, on one line.
  func crowd(_ notes: CrowdNotes) -> String {
    CrowdNotes.Change.allCases.compactMap { part($0, notes) }.joined(separator: "; ")
  }

  private func part(_ change: CrowdNotes.Change, _ notes: CrowdNotes) -> String? {
    let (first, count) = notes.names(change)
    guard count > 0 else { return nil }
    let names = people(first, count)
    let reason = notes.reason(of: change)
    let why = reason.isEmpty ? "" : " (\(reason))"
    return switch change {
    case .split: say("netsplit: \(names) left", "네트워크 분리: \(names) 나감")
    case .joined: say("\(names) joined", "\(names) 들어옴")
    case .left: say("\(names) left\(why)", "\(names) 나감\(why)")
    case .returned: say("\(names) left and came back", "\(names) 나갔다가 다시 들어옴")
    case .visited: say("\(names) came and left\(why)", "\(names) 들어왔다가 나감\(why)")
    }
  }

  private func people(_ first: [String], _ count: Int) -> String {
    let others = count - first.count
    guard others > 0 else {
      guard first.count > 1, let last = first.last else { return first.first ?? "" }
      let head = first.dropLast().joined(separator: ", ")
      return say("\(head) and \(last)", "\(head), \(last)")
    }
    let head = first.joined(separator: ", ")
    let noun = others == 1 ? "other" : "others"
    return say("\(head) and \(others) \(noun)", "\(head) 외 \(others)명")
  }
}
