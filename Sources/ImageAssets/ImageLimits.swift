/// What an image may cost.
package struct ImageLimits: Hashable, Sendable {
  /// What its file may be large at most.
  package var fileBytes = 20_000_000
  /// How many pixels may be decoded.
  package var pixels = 50_000_000
  /// How long all of a fetch from the web may take, redirects included.
  package var time = Duration.seconds(30)
  /// How long one address of a host is waited for.
  package var connectTime = Duration.seconds(10)
  /// How long hardly anything may come.
  package var stallTime = Duration.seconds(10)
  /// How long the room may take to hand a file out.
  package var roomTime = Duration.seconds(300)
  package var redirects = 5
  /// How many fetches may run at once, one at least; prefetches leave one of
  /// them free where there are more.
  package var parallelFetches = 4
  /// How many prefetches may wait; the oldest is dropped for a further one.
  package var waitingPrefetches = 256
  /// How many images are remembered as ready or failed.
  package var rememberedImages = 2_048

  /// What suits a chat.
  package init() {}
}
