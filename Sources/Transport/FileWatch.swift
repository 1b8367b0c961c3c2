internal import CPosix
internal import Dispatch
internal import Glibc

/// Says when a file, or the way to it, may have changed: at once through
/// inotify(7), and once a second where the file system does not tell what
/// other machines do, or where no inotify instance is to be had.
///
/// Belongs to the owner of `queue`, on which `onChange` is called too.
final class FileWatch {
  /// How a file is watched.
  enum Method {
    /// inotify where it tells everything, else polling.
    case automatic
    case polling
  }

  /// How often is looked where nobody tells.
  static let pollingInterval = DispatchTimeInterval.seconds(1)

  /// How long others' changes may stay unheard while one changes it oneself.
  private static let restInMilliseconds = 5

  private let path: String
  private let queue: DispatchQueue
  /// Called with whether a name has changed, rather than contents only.
  private let onChange: @Sendable (Bool) -> Void
  /// -1 without inotify. Closed when the source is cancelled.
  private var inotify: Int32 = -1
  private var source: (any DispatchSourceRead)?
  private var timer: (any DispatchSourceTimer)?
  private var watches: Set<Int32> = []
  private var restEnd = ContinuousClock.now
  /// The folder that was there when it was last armed: the file's own, or the
  /// nearest above it.
  private var watchedFolder = ""

  init(
    path: String, method: Method, queue: DispatchQueue,
    onChange: @escaping @Sendable (Bool) -> Void
  ) {
    self.path = path
    self.queue = queue
    self.onChange = onChange
    if method == .automatic { startInotify() }
    arm()
  }

  deinit {
    source?.cancel()
    timer?.cancel()
  }

  /// Whether it looks once a second, since nobody tells everything.
  var isPolling: Bool { timer != nil }

  /// Watches what `path` names now. To be called, and the file looked at
  /// afterwards, whenever a name has changed.
  func arm() {
    repeat { armOnce() } while watchedFolder != Path.nearestFolder(of: Path.parent(of: path))
  }

  /// Hears of nothing for a moment: whoever changes the file himself, again and
  /// again, need not be told of it each time.
  func rest() {
    guard let source, ContinuousClock.now > restEnd else { return }
    // The end comes on the queue, and a little later than this.
    restEnd = .now + .milliseconds(2 * Self.restInMilliseconds)
    source.suspend()
    let wake = DispatchWorkItem { source.resume() }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.restInMilliseconds), execute: wake)
  }

  private func armOnce() {
    let folder = Path.nearestFolder(of: Path.parent(of: path))
    watchedFolder = folder
    let target = Path.resolved(path)
    var isComplete = inotify >= 0 && Self.tellsEverything(folder)
    if inotify >= 0 {
      var current = [posix_inotify_watch_folder(inotify, folder)]
      if let target {
        current.append(posix_inotify_watch_file(inotify, target))
        current.append(posix_inotify_watch_folder(inotify, Path.parent(of: target)))
        isComplete = isComplete && Self.tellsEverything(target)
      }
      // A link to nothing: who knows where its file will appear.
      let isDangling = target == nil && Path.isLink(path)
      isComplete = isComplete && !current.contains(-1) && !isDangling
      let kept = Set(current.filter { $0 >= 0 })
      for old in watches.subtracting(kept) { posix_inotify_unwatch(inotify, old) }
      watches = kept
    }
    poll(!isComplete)
  }

  private func startInotify() {
    inotify = posix_inotify_open()
    guard inotify >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: inotify, queue: queue)
    source.setEventHandler { [weak self, onChange] in
      guard let news = self?.drain() else { return }
      if news.contents || news.names { onChange(news.names) }
    }
    source.setCancelHandler { [inotify] in close(inotify) }
    source.activate()
    self.source = source
  }

  private func poll(_ shouldPoll: Bool) {
    guard shouldPoll != (timer != nil) else { return }
    timer?.cancel()
    timer = nil
    guard shouldPoll else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval,
      leeway: .milliseconds(100))
    timer.setEventHandler { [onChange] in onChange(true) }
    timer.activate()
    self.timer = timer
  }

  /// Names other than the file's own, and that of what it is a link to, are
  /// other people's business, unless the folder that was watched is one above
  /// the file's own, which was still missing.
  private func drain() -> posix_inotify_news {
    guard watchedFolder == Path.parent(of: path) else {
      return posix_inotify_drain(inotify, nil, nil)
    }
    let target = Path.resolved(path).map { Path.name(of: $0) }
    return posix_inotify_drain(inotify, Path.name(of: path), target)
  }

  /// Whether inotify hears of every change on the file system of `path`:
  /// not of those made by another machine or a user-space file system.
  private static func tellsEverything(_ path: String) -> Bool { !posix_is_on_network(path) }
}
