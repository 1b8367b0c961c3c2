internal import ChatModel

/// A message of a stream, and its place in it: events, a line each, as in a room
/// file. What waits to be sent goes in one, so that all of it is stored or
/// nothing, in its order.
struct LogMessage: Sendable {
  var sequence: UInt64
  var bytes: [UInt8]

  /// How much one message holds of what waits; an event that is larger goes
  /// alone.
  static let maximumBytes = 32 * 1024
  static let maximumEventCount = 128

  /// Which of these events are in it, and the places behind them.
  func places(of ids: Set<String>) -> [String: LogPoint] {
    var places: [String: LogPoint] = [:]
    forEachLine { line, end in
      if let id = (try? EventCodec.decode(line))?.id, ids.contains(id) { places[id] = end }
    }
    return places
  }

  /// How many events are in it, by its lines.
  var eventCount: Int { bytes.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 } }

  /// Calls `body` with each line from the `first` on, and the place behind it.
  func forEachLine(
    from first: Int = 0, _ body: (UnsafeRawBufferPointer, LogPoint) -> Void
  ) {
    bytes.withUnsafeBytes { bytes in
      var (number, rest) = (0, bytes[...])
      while true {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        number += 1
        if number > first {
          body(
            UnsafeRawBufferPointer(rebasing: rest[..<(end ?? rest.endIndex)]),
            end == nil ? .behind(sequence) : LogPoint(sequence: sequence, eventCount: number))
        }
        guard let end else { return }
        rest = rest[(end + 1)...]
      }
    }
  }
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
