extension Timestamp {
  /// Reads a date and time with any offset (RFC 3339, section 5.6).
  ///
  /// A blank may stand for the `T`, as the RFC allows. Digits beyond the
  /// millisecond are cut off; a leap second counts as the second after it.
  /// - Returns: nil when `text` is not such a date.
  package init?(rfc3339 text: some StringProtocol) {
    var text = String(text)
    guard let moment = text.withUTF8({ Timestamp(rfc3339: UnsafeRawBufferPointer($0)) })
    else { return nil }
    self = moment
  }

  /// The same from UTF-8 bytes.
  package init?(rfc3339 bytes: UnsafeRawBufferPointer) {
    var digits = DigitReader(bytes: bytes)
    guard
      let year = digits.number(4), digits.take("-"),
      let month = digits.number(2), digits.take("-"),
      let day = digits.number(2),
      let dayCount = CivilDate.dayCount(month: month, year: year), (1...dayCount).contains(day),
      digits.take("T") || digits.take("t") || digits.take(" "),
      let hour = digits.number(2), hour < 24, digits.take(":"),
      let minute = digits.number(2), minute < 60, digits.take(":"),
      let second = digits.number(2), second <= 60,
      let fraction = digits.milliseconds(),
      let offset = digits.offsetInMinutes(), digits.isAtEnd
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let minutes = (days * 24 + hour) * 60 + minute - offset
    milliseconds = Int64(minutes * 60 + second) * 1_000 + Int64(fraction)
  }

  /// The form in which Banter writes times: UTC with milliseconds, such as
  /// `2026-11-30T08:16:00.123Z`. Years outside 0 to 9999 become the nearest.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends that form in ASCII.
  package func appendRFC3339(to buffer: inout [UInt8]) {
    let first: Int64 = -62_167_219_200_000
    let last: Int64 = 253_402_300_799_999
    let clamped = Int(min(max(milliseconds, first), last))
    var millisecond = clamped % 86_400_000
    var days = clamped / 86_400_000
    if millisecond < 0 {
      millisecond += 86_400_000
      days -= 1
    }
    let date = CivilDate(daysSince1970: days)
    let second = millisecond / 1_000
    Self.append(date.year, digits: 4, before: "-", to: &buffer)
    Self.append(date.month, digits: 2, before: "-", to: &buffer)
    Self.append(date.day, digits: 2, before: "T", to: &buffer)
    Self.append(second / 3_600, digits: 2, before: ":", to: &buffer)
    Self.append(second / 60 % 60, digits: 2, before: ":", to: &buffer)
    Self.append(second % 60, digits: 2, before: ".", to: &buffer)
    Self.append(millisecond % 1_000, digits: 3, before: "Z", to: &buffer)
  }

  private static func append(
    _ value: Int, digits: Int, before separator: Unicode.Scalar, to buffer: inout [UInt8]
  ) {
    var unit = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
    while unit > 0 {
      buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
      unit /= 10
    }
    buffer.append(UInt8(ascii: separator))
  }
}

/// Reads the parts of a date from the left.
private struct DigitReader {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int? {
    guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    else { return nil }
    position += 1
    return Int(bytes[position - 1] - UInt8(ascii: "0"))
  }

  mutating func number(_ digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// 0 where there is no fraction, nil where there is a point without digits.
  mutating func milliseconds() -> Int? {
    guard take(".") else { return 0 }
    guard var milliseconds = digit().map({ $0 * 100 }) else { return nil }
    var unit = 10
    while let digit = digit() {
      milliseconds += digit * unit
      unit /= 10
    }
    return milliseconds
  }

  mutating func offsetInMinutes() -> Int? {
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard
      sign != 0, let hours = number(2), hours < 24, take(":"), let minutes = number(2), minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
