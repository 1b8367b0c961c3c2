import TestSupport
import Testing

@testable import ChatModel

struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("1970-01-01T00:00:00.001Z", 1),
    ("2026-11-30T08:16:00.123Z", 1_796_026_560_123),
    ("2026-11-30t08:16:00.123z", 1_796_026_560_123),
    ("2026-11-30 08:16:00.123Z", 1_796_026_560_123),
    ("2026-11-30T17:16:00.123+09:00", 1_796_026_560_123),
    ("2026-11-30T04:46:00.123-03:30", 1_796_026_560_123),
    ("2026-12-01T08:15:00.123+23:59", 1_796_026_560_123),
    ("2026-11-30T08:16:00.123-00:00", 1_796_026_560_123),
    ("1969-12-31T23:59:59.999Z", -1),
    ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `reads any offset, either case, and every year of four digits`(text: String, wanted: Int64) {
    #expect(Timestamp(rfc3339: text) == Timestamp(milliseconds: wanted))
  }

  @Test(arguments: [
    (".1", 100), (".12", 120), (".123", 123), (".1239", 123), (".9999999999999999999999", 999),
    (".000", 0), ("", 0),
  ])
  func `cuts fractions off at the millisecond`(fraction: String, wanted: Int64) {
    #expect(Timestamp(rfc3339: "1970-01-01T00:00:00\(fraction)Z")?.milliseconds == wanted)
  }

  @Test func `takes a leap second for the second after it`() {
    let leap = Timestamp(rfc3339: "2016-12-31T23:59:60Z")
    #expect(leap == Timestamp(rfc3339: "2017-01-01T00:00:00Z"))
    #expect(leap != nil)
  }

  @Test(arguments: [
    "", "2026", "2026-11-30", "2026-11-30T08:16:00", "2026-11-30T08:16Z", "26-11-30T08:16:00Z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
    "2026-11-00T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T08:60:00Z", "2026-11-30T08:16:61Z",
    "2026-11-30T08:16:00.Z", "2026-11-30T08:16:00,1Z", "2026-11-30T08:16:00+9:00",
    "2026-11-30T08:16:00+0900", "2026-11-30T08:16:00+24:00", "2026-11-30T08:16:00+09:60",
    "2026-11-30T08:16:00Z ", " 2026-11-30T08:16:00Z", "2026-11-30T08:16:00ZZ",
    "+2026-11-30T08:16:00Z", "-001-11-30T08:16:00Z", "12026-11-30T08:16:00Z",
    "２０２６-11-30T08:16:00Z", "2026-11-30T08:16:-1Z",
  ])
  func `takes nothing else for a date`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(arguments: [
    "2000-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2400-02-29T00:00:00Z", "0000-02-29T00:00:00Z",
  ])
  func `knows leap days`(text: String) {
    #expect(Timestamp(rfc3339: text) != nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    (Int64.min, "0000-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
  ])
  func `writes UTC with milliseconds, and the nearest year there is`(
    milliseconds: Int64, text: String
  ) {
    #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
  }

  @Test func `reads back every moment that it writes`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<20_000 {
      let moment = Timestamp(
        milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      #expect(Timestamp(rfc3339: moment.rfc3339) == moment)
    }
  }

  @Test func `moves by durations to the millisecond`() {
    let moment = Timestamp(milliseconds: 1_000)
    #expect(moment + .milliseconds(1_500) == Timestamp(milliseconds: 2_500))
    #expect(moment + .milliseconds(-1_500) == Timestamp(milliseconds: -500))
    #expect(moment < moment + .milliseconds(1))
    #expect(moment + .microseconds(999) == moment)
  }

  @Test func `moves no further than the last moment, nor before the first`() {
    let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
    #expect(last + .seconds(60) == last && first + .seconds(-60) == first)
  }
}
