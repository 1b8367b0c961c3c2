import ChatModel
import TerminalText
import Testing

struct TimeLabelTests {
  /// 2026-11-30T08:16:05Z.
  private static let morning = Timestamp(milliseconds: 1_796_026_565_000)

  private func utc(_ moment: Timestamp) -> LocalTime {
    TimeZoneRule.fixed(secondsFromUTC: 0).localTime(at: moment)
  }

  @Test(arguments: [
    (Language.english, ClockFormat.automatic, 0, "08:16"),
    (.english, .h12, 0, "08:16 am"), (.english, .h24, 0, "08:16"),
    (.korean, .automatic, 0, "08:16 오전"), (.korean, .h24, 0, "08:16"),
    (.korean, .automatic, 12, "08:16 오후"), (.english, .h12, 16, "12:16 am"),
    (.english, .h12, 4, "12:16 pm"), (.korean, .h12, 5, "01:16 오후"), (.english, .h24, 13, "21:16"),
  ])
  func `a label of the time of day`(
    language: Language, clock: ClockFormat, hours: Int, expected: String
  ) {
    let zone = TimeZoneRule.fixed(secondsFromUTC: hours * 3600)
    let label = TimeLabel(language: language, clock: clock)
    #expect(label.text(for: zone.localTime(at: Self.morning)) == expected)
  }

  @Test func `a label of the day`() {
    let time = utc(Self.morning)
    #expect(TimeLabel(language: .english).dayText(for: time) == "Monday, 30 November 2026")
    #expect(TimeLabel(language: .korean).dayText(for: time) == "2026년 11월 30일 월요일")
    #expect(TimeLabel().shortDayText(for: time) == "2026-11-30")
  }

  @Test(arguments: [
    (Int64(0), "1970-01-01", 4), (-1, "1969-12-31", 3), (951_782_400_000, "2000-02-29", 2),
    (4_107_542_400_000, "2100-03-01", 1), (253_402_300_800_000, "10000-01-01", 6),
    (-62_167_219_200_000, "0-01-01", 6),
  ])
  func `dates of all times`(milliseconds: Int64, date: String, weekday: Int) {
    let time = utc(Timestamp(milliseconds: milliseconds))
    #expect(TimeLabel().shortDayText(for: time) == date)
    #expect(time.weekday == weekday)
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
  func `no moment is too far away`(milliseconds: Int64) {
    let moment = Timestamp(milliseconds: milliseconds)
    for zone in [TimeZoneRule.system, .fixed(secondsFromUTC: .max), .fixed(secondsFromUTC: .min)] {
      let time = zone.localTime(at: moment)
      #expect((0...6).contains(time.weekday) && (1...12).contains(time.month))
      #expect(!TimeLabel(language: .korean).dayText(for: time).isEmpty)
    }
  }

  @Test func `a clock that is kept shows the same as one made anew`() {
    var clock = LocalClock(zone: .system)
    for step in Int64(0)..<3000 {
      let moment = Timestamp(milliseconds: 1_700_000_000_000 + step * 7_654_321)
      #expect(clock.localTime(at: moment) == TimeZoneRule.system.localTime(at: moment))
    }
  }
}
