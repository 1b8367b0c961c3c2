package import ChatModel

extension Transcript {
  /// The rows of something that the program itself says: an answer to a
  /// command, a problem. Untrusted parts may be in it.
  package mutating func lines(forNote text: String) -> [String] {
    var bytes: [UInt8] = []
    run = nil
    let words = neutralized(text, .paragraph)
    switch options.effectiveStyle {
    case .bubble, .compact: appendHanging("-- \(words)", to: &bytes)
    case .plain: appendUnwrapped(words, to: &bytes)
    }
    return rows(of: bytes)
  }

  /// The row of a fact that others have written: cut where it does not fit. Rows
  /// of plain style may be longer than the window.
  package mutating func factRow(_ text: String) -> String {
    run = nil
    return factMark + fitted(text, columns: factColumns)
  }

  /// The rows of a note to which an address belongs, which has a row of its own,
  /// where it is cut, if both have no room in one.
  package mutating func noteRows(_ text: String, address: String) -> [String] {
    let place = fitted(address, columns: factColumns)
    let whole = lines(forNote: "\(text), \(place)")
    return whole.count == 1 ? whole : lines(forNote: text) + [factMark + place]
  }

  /// A note wrapped into a narrow column, without a mark.
  package func wrappedNote(_ text: String, columns: Int) -> [String] {
    LineWrapper(columns: columns, measure: options.measure).lines(neutralized(text, .paragraph))
  }

  private var factMark: String { options.effectiveStyle == .plain ? "" : "-- " }
  private var factColumns: Int {
    options.effectiveStyle == .plain ? 1_000 : max(1, options.area - factMark.count)
  }

  /// A text of others without line ends, cut to so many columns.
  package func fitted(_ text: String, columns: Int) -> String {
    field(text, columns: columns, options: options)
  }

  /// A moment as date and time, such as `2026-11-30 08:16`.
  package func dateAndTime(of moment: Timestamp) -> String {
    let local = options.zone.localTime(at: moment)
    let label = TimeLabel(language: options.language, clock: options.clock)
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(local.year)-\(digits(local.month))-\(digits(local.day)) \(label.text(for: local))"
  }
}

extension TimeZoneRule {
  /// The moment at which a day of the calendar begins on the wall.
  package func startOfDay(_ date: CivilDate) -> Timestamp {
    let seconds = Int64(date.daysSince1970) * 86_400
    return Timestamp(milliseconds: (seconds - secondsFromUTC(at: seconds)) * 1_000)
  }
}
