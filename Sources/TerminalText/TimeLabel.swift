/// The language of what Banter itself says.
package enum Language: String, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"

  /// That of messages (locale(7)).
  /// - Parameter variable: the value of an environment variable.
  package init(locale variable: (String) -> String?) {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let locale = names.lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    self = locale.hasPrefix("ko") ? .korean : .english
  }
}

/// How hours are counted.
package enum ClockFormat: String, Sendable, CaseIterable {
  /// As the language is used to: twelve hours in Korean, else 24.
  case automatic
  case h24 = "24h"
  case h12 = "12h"
}

/// Writes times and dates beside messages.
package struct TimeLabel: Sendable, Equatable {
  /// The language of weekdays, months and halves of the day.
  package var language: Language
  /// How hours are counted.
  package var clock: ClockFormat

  /// Labels in that language, with hours counted so.
  package init(language: Language = .english, clock: ClockFormat = .automatic) {
    self.language = language
    self.clock = clock
  }

  private var isTwelveHours: Bool {
    switch clock {
    case .automatic: language == .korean
    case .h12: true
    case .h24: false
    }
  }

  /// The time of day: `08:16`, `08:16 am` or `08:16 오전`.
  package func text(for time: LocalTime) -> String {
    guard isTwelveHours else { return "\(padded(time.hour)):\(padded(time.minute))" }
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    return "\(padded(hour)):\(padded(time.minute)) \(halfOfDay(time.hour))"
  }

  /// The date in full: `Monday, 30 November 2026` or
  /// `2026년 11월 30일 월요일`.
  package func dayText(for time: LocalTime) -> String {
    switch language {
    case .english:
      let weekday = Self.englishWeekdays[time.weekday]
      return "\(weekday), \(time.day) \(Self.englishMonths[time.month - 1]) \(time.year)"
    case .korean:
      let weekday = Self.koreanWeekdays[time.weekday]
      return "\(time.year)년 \(time.month)월 \(time.day)일 \(weekday)요일"
    }
  }

  /// The date in short: `2026-11-30`.
  package func shortDayText(for time: LocalTime) -> String {
    "\(time.year)-\(padded(time.month))-\(padded(time.day))"
  }

  private func halfOfDay(_ hour: Int) -> String {
    switch language {
    case .english: hour < 12 ? "am" : "pm"
    case .korean: hour < 12 ? "오전" : "오후"
    }
  }

  private func padded(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static let englishWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let koreanWeekdays = ["일", "월", "화", "수", "목", "금", "토"]
}
