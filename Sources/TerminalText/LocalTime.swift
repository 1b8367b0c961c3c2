/// A moment as the clock on the wall shows it (proleptic Gregorian calendar).
package struct LocalTime: Hashable, Sendable {
  /// Astronomical: 0 is 1 BC.
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  /// 0 for Sunday to 6 for Saturday.
  package var weekday: Int
  /// 0 to 23.
  package var hour: Int
  /// 0 to 59.
  package var minute: Int
  /// 0 to 59.
  package var second: Int

  /// The moment so many seconds after 1970-01-01T00:00:00 of the same clock.
  package init(localSeconds: Int64) {
    let dayNumber = localSeconds.flooredQuotient(86_400)
    let secondOfDay = Int(localSeconds - dayNumber * 86_400)
    hour = secondOfDay / 3600
    minute = secondOfDay / 60 % 60
    second = secondOfDay % 60
    weekday = Int((dayNumber + 4) - (dayNumber + 4).flooredQuotient(7) * 7)
    (year, month, day) = Self.civil(dayNumber: dayNumber)
  }

  /// The date of a day counted from 1970-01-01.
  ///
  /// Years are taken to begin in March, so that the leap day is their last,
  /// and 400 of them have 146,097 days.
  private static func civil(dayNumber: Int64) -> (year: Int, month: Int, day: Int) {
    let sinceMarchOfYear0 = dayNumber + 719_468
    let era = sinceMarchOfYear0.flooredQuotient(146_097)
    let dayOfEra = sinceMarchOfYear0 - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), Int(month), Int(day))
  }
}

extension Int64 {
  /// The quotient by a positive divisor, rounded down.
  func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self < quotient * divisor ? quotient - 1 : quotient
  }
}
