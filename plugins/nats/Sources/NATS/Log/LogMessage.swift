/// A message of a stream, and its place in it.
struct LogMessage: Sendable {
  var sequence: UInt64
  var bytes: [UInt8]
}

/// Where a message that a consumer hands over comes from, as the subject for
/// its acknowledgement tells: `$JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.…`,
/// or with a domain and an account before the stream (NATS ADR-15).
struct LogPlace: Sendable {
  var consumer: String
  var sequence: UInt64

  /// No stream comes so far; whoever says so is not believed, and no sum of
  /// places overflows.
  static let maximumSequence: UInt64 = 1 << 60

  /// Nil for any other subject.
  init?(acknowledgement subject: UnsafeBufferPointer<UInt8>) {
    // There are many of them: no text is made of what is not needed.
    guard subject.starts(with: Self.beginning) else { return nil }
    var starts: [Int] = []
    starts.reserveCapacity(12)
    for index in subject.indices.dropFirst(Self.beginning.count)
    where subject[index - 1] == UInt8(ascii: ".") {
      starts.append(index)
    }
    let first = starts.count >= 9 ? 2 : 0
    guard starts.count >= first + 7 else { return nil }
    let token = { (number: Int) in
      UnsafeBufferPointer(rebasing: subject[starts[number]..<starts[number + 1] - 1])
    }
    guard let sequence = Self.number(token(first + 3)), sequence <= Self.maximumSequence else {
      return nil
    }
    (consumer, self.sequence) = (String(decoding: token(first + 1), as: UTF8.self), sequence)
  }

  private static let beginning = Array("$JS.ACK.".utf8)

  private static func number(_ digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit), !isTooLarge else { return nil }
      let (sum, isBeyond) = product.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
      guard !isBeyond else { return nil }
      number = sum
    }
    return digits.isEmpty ? nil : number
  }
}
