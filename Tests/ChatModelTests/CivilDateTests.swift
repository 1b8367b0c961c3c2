import Glibc
import Testing

@testable import ChatModel

struct CivilDateTests {
  /// From the year -9999 to 19999, all days around turns of years, and others
  /// at a stride that meets every day of the week and of the month.
  private static let days = Array(stride(from: -4_371_953, through: 6_584_000, by: 97))

  @Test func `agrees with the C library from days to dates`() {
    for days in Self.days {
      var seconds = time_t(days) * 86_400
      var fields = tm()
      gmtime_r(&seconds, &fields)
      let wanted = CivilDate(
        year: Int(fields.tm_year) + 1_900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday))
      #expect(CivilDate(daysSince1970: days) == wanted)
    }
  }

  @Test func `agrees with the C library from dates to days`() {
    for year in -50...3_000 {
      for (month, day) in [(1, 1), (2, 28), (3, 1), (12, 31)] {
        var fields = tm()
        fields.tm_year = Int32(year - 1_900)
        fields.tm_mon = Int32(month - 1)
        fields.tm_mday = Int32(day)
        let wanted = timegm(&fields) / 86_400
        #expect(CivilDate(year: year, month: month, day: day).daysSince1970 == wanted)
      }
    }
  }

  @Test func `comes back from days to the same days`() {
    for days in Self.days { #expect(CivilDate(daysSince1970: days).daysSince1970 == days) }
  }

  @Test(arguments: [
    (1, 2026, 31), (4, 2026, 30), (2, 2026, 28), (2, 2024, 29), (2, 1900, 28), (2, 2000, 29),
    (12, 0, 31),
  ])
  func `knows how long months are`(month: Int, year: Int, wanted: Int) {
    #expect(CivilDate.dayCount(month: month, year: year) == wanted)
  }

  @Test(arguments: [0, 13, -1]) func `knows no other months`(month: Int) {
    #expect(CivilDate.dayCount(month: month, year: 2026) == nil)
  }

  @Test func `reads days as people write them`() {
    #expect(CivilDate("2026-11-30") == CivilDate(year: 2026, month: 11, day: 30))
    #expect(CivilDate("2024-02-29") == CivilDate(year: 2024, month: 2, day: 29))
    #expect(CivilDate("0000-1-1") == CivilDate(year: 0, month: 1, day: 1))
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-11-31", "2026-02-29", "2026-13-01", "2026-0-1", "26-11-30",
    "2026-11-30-1", "2026--30", "-026-11-30", "+026-11-30", "2026-+1-30", "2026-11-30 ", "x-y-z",
  ])
  func `reads no other days`(text: String) {
    #expect(CivilDate(text) == nil)
  }
}
