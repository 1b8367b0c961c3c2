internal import ImageAssets

/// The images of a room, fetched from where they are.
@MainActor
final class Gallery {
  /// What one knows of an image without its pixels.
  typealias Found = Result<ImageFile, ImageFailure>

  private let library: ImageLibrary
  /// What the library is still to be told, in its order.
  private var orders: [Order] = []
  private var ordering: Task<Void, Never>?
  /// The pictures that are on their way to the screen by themselves, by the
  /// message that they are of.
  private var onTheWay: [String: (images: [String], task: Task<Void, Never>)] = [:]

  init(
    _ settings: Settings, _ folders: Folders, _ environment: [String: String], turns: FetchTurns,
    storedFile: @escaping ImageLibrary.StoredFile
  ) {
    var limits = ImageLimits()
    limits.parallelFetches = settings.parallelFetches
    let policy = AddressPolicy(allowsPrivate: settings.fetchesPrivate)
    let cache = ImageDiskCache(folders: [folders.images, "\(folders.runtime)/images"])
    library = ImageLibrary(
      cache: cache, web: WebFetch(policy: policy, limits: limits, environment: environment),
      limits: limits, turns: turns, storedFile: storedFile)
  }

  func image(_ source: ImageSource) async -> Found { await library.image(source) }

  /// Gives up all fetches. What does not let itself be given up is waited for
  /// no longer than a moment.
  func close() async {
    ordering?.cancel()
    _ = await firstValue(of: Task { Optional(await library.close()) }, within: .seconds(1))
  }

  // MARK: - What nobody has asked for

  private enum Order {
    case prefetch([ImageSource])
    case cancel(besides: Set<ImageSource>)
  }

  /// Fetches images ahead of their being looked at.
  func prefetch(_ sources: [ImageSource]) {
    if !sources.isEmpty { give(.prefetch(sources)) }
  }

  /// Ends the fetching ahead of all other images.
  func cancelPrefetches(besides wanted: Set<ImageSource>) {
    give(.cancel(besides: wanted))
  }

  private func give(_ order: Order) {
    orders.append(order)
    ordering = ordering ?? Task { await carryOut() }
  }

  private func carryOut() async {
    while !orders.isEmpty, !Task.isCancelled {
      switch orders.removeFirst() {
      case .prefetch(let sources): await library.prefetch(sources)
      case .cancel(let wanted): await library.cancelPrefetches(besides: wanted)
      }
    }
    ordering = nil
  }

  /// Whether there is any use in the pictures of one more message: in a flood,
  /// nobody sees them.
  var hasRoomOnTheWay: Bool { onTheWay.count < 20 }

  /// Brings pictures of a message to the screen, until they are not wanted any
  /// more.
  func bring(
    _ images: [String], of messageID: String, _ body: @escaping @MainActor () async -> Void
  ) {
    let task = Task {
      await body()
      onTheWay[messageID] = nil
    }
    onTheWay[messageID] = (images, task)
  }

  /// Gives up pictures that are on their way.
  /// - Parameter isWanted: is told the message's id and the images.
  func cancelOnTheWay(unless isWanted: (String, [String]) -> Bool) {
    for (id, picture) in onTheWay where !isWanted(id, picture.images) { picture.task.cancel() }
  }
}
