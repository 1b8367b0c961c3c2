package import ChatModel
import Glibc

/// What the clock on the wall shows at a moment.
package enum TimeZoneRule: Hashable, Sendable {
  /// The zone of the system: `TZ`, else `/etc/localtime` (`localtime_r(3)`).
  case system
  /// The same distance from UTC at all times, for tests and for exports.
  case fixed(secondsFromUTC: Int)

  /// The local time at `moment`; to ask for many, keep a ``LocalClock``.
  package func localTime(at moment: Timestamp) -> LocalTime {
    var clock = LocalClock(zone: self)
    return clock.localTime(at: moment)
  }

  /// Seconds to add to UTC at a moment; 0 where the system cannot tell.
  func secondsFromUTC(at seconds: Int64) -> Int64 {
    switch self {
    case .fixed(let offset):
      return Int64(max(-172_800, min(172_800, offset)))
    case .system:
      var time = time_t(seconds)
      var broken = tm()
      guard localtime_r(&time, &broken) != nil else { return 0 }
      return Int64(broken.tm_gmtoff)
    }
  }
}

/// Turns moments into local times, asking the system once a quarter of an hour
/// of them: no zone has changed its offset at any other moment since 1972.
package struct LocalClock: Sendable {
  /// The zone that it shows.
  package let zone: TimeZoneRule
  private var quarter: Int64?
  private var offset: Int64 = 0

  /// A clock on the wall in that zone.
  package init(zone: TimeZoneRule) {
    self.zone = zone
  }

  /// The local time at `moment`.
  package mutating func localTime(at moment: Timestamp) -> LocalTime {
    LocalTime(localSeconds: localSeconds(at: moment))
  }

  /// Local seconds since 1970-01-01T00:00:00.
  mutating func localSeconds(at moment: Timestamp) -> Int64 {
    let seconds = moment.milliseconds.flooredQuotient(1000)
    let current = seconds.flooredQuotient(900)
    if current != quarter {
      quarter = current
      offset = zone.secondsFromUTC(at: seconds)
    }
    return seconds + offset
  }
}
