internal import ChatModel
internal import Glibc
internal import ImageAssets
internal import Processes
internal import TerminalText

/// The images of a room: fetched from where they are, and made into pictures
/// for the terminal that shows the room.
@MainActor
final class Gallery {
  /// What one knows of an image without its pixels.
  typealias Found = Result<ImageFile, ImageFailure>

  private let library: ImageLibrary
  private let pictures = PictureCache()
  private let surface: any PromptSurface
  private let environment: [String: String]
  private var abilities = GraphicsAbilities()
  private var asking: Task<Void, Never>?
  private var choosing: Task<Void, Never>?
  /// What the terminal around tmux can; nil where there is none.
  private var outer: GraphicsProtocol?
  /// Once it works; until then it is looked for anew.
  private var sandbox = Sandbox.none

  /// What the library is still to be told, in its order.
  private var orders: [Order] = []
  private var ordering: Task<Void, Never>?
  /// The pictures that are on their way to the screen by themselves, by the
  /// message that they are of.
  private var onTheWay: [String: (images: [String], task: Task<Void, Never>)] = [:]

  /// How long the terminal may take to say what it can, over a slow line too.
  private static let patience = Duration.milliseconds(1_500)

  init(
    _ settings: Settings, _ folders: Folders, _ surface: any PromptSurface,
    _ environment: [String: String], storedFile: @escaping ImageLibrary.StoredFile
  ) {
    self.surface = surface
    self.environment = environment
    var limits = ImageLimits()
    limits.parallelFetches = settings.parallelFetches
    let policy = AddressPolicy(allowsPrivate: settings.fetchesPrivate)
    let cache = ImageDiskCache(folders: [folders.images, "\(folders.runtime)/images"])
    library = ImageLibrary(
      cache: cache, web: WebFetch(policy: policy, limits: limits, environment: environment),
      limits: limits, storedFile: storedFile)
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

  // MARK: - Pictures

  /// The picture of an image, as large as there is room for; nil where the
  /// terminal shows none.
  func picture(
    of file: ImageFile, columns: Int, rows: Int, by choice: GraphicsProtocol?, colorCount: Int,
    isAsked: Bool
  ) async -> Result<Picture, ImageFailure>? {
    guard surface.showsPictures else { return nil }
    // Of blocks there is nothing to ask.
    if choice != .blocks, choice != GraphicsProtocol.none { await askOnce() }
    let graphics = choice ?? outer ?? abilities.best(isInside: isInside)
    guard graphics != .none else { return nil }
    let size = PictureSize(columns: columns, rows: rows, cell: abilities.cell)
    let renderer = ImageRenderer(
      size: size, graphics: graphics, colorCount: colorCount, isInside: isInTmux,
      environment: environment, sandbox: await availableSandbox())
    return await pictures.picture(of: file, by: renderer, isAsked: isAsked)
  }

  private func availableSandbox() async -> Sandbox {
    if sandbox == .none { sandbox = await Sandbox.available(environment) }
    return sandbox
  }

  /// Whether tmux is between this and the terminal, and passes on what is not
  /// meant for it.
  private var isInTmux: Bool { environment["TMUX"]?.isEmpty == false }
  private var isInside: Bool { isInTmux || environment["STY"]?.isEmpty == false }

  // MARK: - Asking the terminal

  /// Finds out what the terminal can; what it says later counts from then on.
  private func askOnce() async {
    let task =
      choosing
      ?? Task {
        // Another program may have the terminal; then it is asked the next time.
        guard await ask() else { return choosing = nil }
        if isInTmux { outer = await outerGraphics() }
      }
    choosing = task
    await task.value
  }

  /// Takes what the terminal says, early or late.
  func take(_ reply: [UInt8]) {
    abilities.take(reply)
    if abilities.isComplete { asking?.cancel() }
  }

  /// - Returns: whether there is nothing more to ask.
  private func ask() async -> Bool {
    // The Linux console and a serial line show what they do not know.
    let name = environment["TERM"] ?? ""
    guard !["linux", "vt", "ansi"].contains(where: name.hasPrefix) else { return true }
    abilities.hasITerm = ["TERM_PROGRAM", "LC_TERMINAL"].contains {
      environment[$0]?.hasPrefix("iTerm") == true
    }
    let wait = Task { () -> Void in try? await Task.sleep(for: Self.patience) }
    asking = wait
    guard surface.query(GraphicsAbilities.question(isInside: isInside)) else { return false }
    await wait.value
    return true
  }

  /// What the terminal around tmux can, where tmux passes it on (tmux(1),
  /// allow-passthrough) and moves the picture with its text.
  private func outerGraphics() async -> GraphicsProtocol? {
    let question = [
      "tmux", "display-message", "-p", "#{allow-passthrough} #{client_termname}",
    ]
    let answer = try? await ChildProcess.collect(
      question, environment: environment, within: .seconds(2), limit: 1 << 16)
    guard let answer, answer.status == 0 else { return nil }
    let words = String(decoding: answer.output, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, ["1", "on", "all"].contains(words[0]) else { return nil }
    return words[1].hasSuffix("kitty") || words[1].hasSuffix("ghostty") ? .kitty : nil
  }
}
