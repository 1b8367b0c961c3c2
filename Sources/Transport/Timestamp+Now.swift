package import ChatModel
internal import Glibc

extension Timestamp {
  /// The time of this machine's clock (clock_gettime(2)).
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
