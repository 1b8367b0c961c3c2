import ChatModel
import Glibc
import Testing

/// Times as RFC 3339 has them.
@Suite struct RFC3339Tests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("2026-11-30T08:16:00.123Z", 1_796_026_560_123),
    ("2026-11-30T17:16:00.123+09:00", 1_796_026_560_123),
    ("2026-11-30t08:16:00.1239999z", 1_796_026_560_123),
    ("2026-11-30 00:16:00.123-08:00", 1_796_026_560_123),
    ("1969-12-31T23:59:59.9Z", -100),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("2038-01-19T03:14:08Z", 2_147_483_648_000),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `reads any offset, case and fraction`(text: String, milliseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "yesterday", "2026-11-30", "2026-11-30T08:16Z", "2026-11-30T08:16:00",
    "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-00-10T00:00:00Z",
    "2026-11-31T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T08:60:00Z",
    "2026-11-30T08:16:61Z", "2026-11-30T08:16:00.Z", "2026-11-30T08:16:00+9:00",
    "2026-11-30T08:16:00+24:00", "2026-11-30T08:16:00Zx", "٢٠٢٦-11-30T08:16:00Z",
    "9999-99-99T99:99:99.999Z",
  ])
  func `refuses what is no date`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `agrees with the C library on every day of 400 years and more`() {
    for day in stride(from: -800_000, through: 3_000_000, by: 97) {
      var seconds = time_t(day * 86_400 + 12_345)
      var broken = tm()
      gmtime_r(&seconds, &broken)
      let date = CivilDate(daysSince1970: day)
      #expect(date.year == Int(broken.tm_year) + 1900)
      #expect(date.month == Int(broken.tm_mon) + 1)
      #expect(date.day == Int(broken.tm_mday))
      #expect(date.daysSince1970 == day)
    }
  }

  @Test func `writes what it reads`() {
    for milliseconds in stride(
      from: Int64(-62_167_219_200_000), to: 253_402_300_800_000, by: 7_919_977_777_777)
    {
      let moment = Timestamp(milliseconds: milliseconds)
      #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
    }
    #expect(Timestamp(milliseconds: 1_796_026_560_003).rfc3339 == "2026-11-30T08:16:00.003Z")
  }

  @Test(arguments: [Int64.min, Int64.max])
  func `years beyond four digits become the nearest`(milliseconds: Int64) {
    let text = Timestamp(milliseconds: milliseconds).rfc3339
    #expect(text == (milliseconds < 0 ? "0000-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"))
  }
}
