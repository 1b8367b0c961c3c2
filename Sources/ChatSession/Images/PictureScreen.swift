internal import Glibc
internal import ImageAssets
internal import Processes

/// The terminal as something that shows pictures: it is asked once what it can.
@MainActor
final class PictureScreen {
  private let surface: any PromptSurface
  private let environment: [String: String]
  private let pictures: PictureCache
  private var abilities = GraphicsAbilities()
  private var asking: Task<Void, Never>?
  private var choosing: Task<Void, Never>?
  /// What the terminal around tmux can; nil where there is none.
  private var outer: GraphicsProtocol?

  /// How long the terminal may take to say what it can, over a slow line too.
  private static let patience = Duration.milliseconds(1_500)

  init(_ surface: any PromptSurface, _ environment: [String: String]) {
    (self.surface, self.environment) = (surface, environment)
    let probe = SandboxProbe(environment)
    pictures = PictureCache { () async throws(ImageFailure) in try await probe.sandbox() }
  }

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
      environment: environment)
    return await pictures.picture(of: file, by: renderer, isAsked: isAsked)
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
