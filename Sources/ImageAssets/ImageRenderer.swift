internal import CPosix
internal import FileSystem
internal import Glibc
internal import Processes

/// Makes pictures of image files for a terminal, by `chafa`.
///
/// Images come from strangers, so another process decodes them: with limits of
/// memory and time (prlimit(1)), where bubblewrap is there without
/// a network and without files (bwrap(1)), and with nothing of its output let
/// through but what draws a picture.
package struct ImageRenderer: Hashable, Sendable {
  package var size: PictureSize
  package var graphics: GraphicsProtocol
  /// Colours: 2 for none, 256, or more.
  package var colorCount: Int
  /// Whether tmux is between this and the terminal whose protocol it is.
  package var isInside: Bool
  private let environment: [String: String]
  private let seconds: Int

  /// - Parameters:
  ///   - isInside: of kitty's and iTerm2's protocols only; sixels and blocks are
  ///     a multiplexer's own affair.
  ///   - seconds: how long it may take, one at least.
  package init(
    size: PictureSize, graphics: GraphicsProtocol, colorCount: Int, isInside: Bool = false,
    environment: [String: String], seconds: Int = 10
  ) {
    (self.size, self.graphics, self.colorCount) = (size, graphics, colorCount)
    // It is told everything that it needs; what else is there may be secret.
    let environment = environment.filter { ["PATH", "LD_LIBRARY_PATH"].contains($0.key) }
    self.environment = environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    (self.isInside, self.seconds) = (isInside, max(1, seconds))
  }

  /// More than this is not written to a terminal.
  private static let outputBytes = 16 << 20

  /// Where the decoder finds the image, in a sandbox too: `chafa` would copy what it
  /// reads from a pipe or its standard input into a file once that is large, and it
  /// may write none (proc_pid_fd(5)).
  private static let imagePath = "/proc/self/fd/0"

  /// The picture of an image file; of one that moves, its beginning.
  package func render(
    _ file: ImageFile, in sandbox: Sandbox
  ) async -> Result<Picture, ImageFailure> {
    // Only of the file that was looked at is it known how many pixels it has.
    guard let opened = try? file.open() else { return .failure(.notAFile) }
    let size = fitting(file.header.size)
    guard let terminal = PretendedTerminal(size.cell) else {
      return .failure(.cannotStart(program: "chafa", errorNumber: errno))
    }
    let program = sandbox == .none ? nil : await OwnProgram.find("chafa", environment)
    let exit: Int32
    let output: [UInt8]
    do {
      (exit, output) = try await ChildProcess.collect(
        start(program, in: sandbox) + arguments(size), environment: environment,
        input: .descriptor(opened.number),
        error: .descriptor(terminal.childEnd), within: .seconds(seconds), limit: Self.outputBytes)
    } catch {
      return .failure(.cannotStart(program: error.program, errorNumber: error.errorNumber))
    }
    withExtendedLifetime((terminal, opened)) {}
    guard exit == 0 else {
      // It was ended because it wrote too much.
      let failure = output.count < Self.outputBytes ? failure(exit) : .undecodable
      return .failure(
        await works(program, in: sandbox) ? failure : .shutIn(program: "chafa"))
    }
    let picture = GraphicsOutput.picture(
      output, as: graphics, size: size, isInside: isInside)
    return picture.map { .success($0) } ?? .failure(.undecodable)
  }

  /// What prlimit(1) says, by a shell's convention.
  private func failure(_ status: Int32) -> ImageFailure {
    switch status {
    case 126: .cannotStart(program: "chafa", errorNumber: EACCES)
    case 127: .notInstalled(program: "chafa")
    case ChildProcess.timedOutStatus, 128 + SIGKILL: .timedOut
    case 128 + SIGTERM, 128 + SIGHUP, 128 + SIGINT: .ended(program: "chafa")
    default: .undecodable
    }
  }

  /// Whether a program that is not the system's works at all, which it may not
  /// in a sandbox.
  private func works(_ program: OwnProgram?, in sandbox: Sandbox) async -> Bool {
    guard let program else { return true }
    let answer = try? await ChildProcess.collect(
      start(program, in: sandbox) + ["--version"], environment: environment,
      within: .seconds(seconds),
      limit: 1 << 16)
    return answer?.status == 0
  }

  /// How large the picture of an image may be: each of its pixels is no larger
  /// than one of the terminal, or half a cell in blocks.
  private func fitting(_ image: PixelSize) -> PictureSize {
    let isText = graphics == .blocks || graphics == .none
    var size = size.limited(
      to: image, inCellsOf: isText ? PixelSize(width: 1, height: 2) : size.cell)
    if graphics == .kitty || graphics == .iterm { size.limitPixels() }
    if graphics == .kitty, isInside { size.rows = min(size.rows, KittyPicture.maximumRows) }
    return size
  }

  private func start(_ program: OwnProgram?, in sandbox: Sandbox) -> [String] {
    let limits = [
      "prlimit", "--as=1073741824", "--cpu=\(seconds)", "--nofile=32", "--core=0",
    ]
    // A sandbox has to copy the image first.
    return limits + (sandbox == .none ? ["--fsize=0"] : [])
      + sandbox.arguments(for: program, input: Self.imagePath) + ["chafa"]
  }

  private func arguments(_ size: PictureSize) -> [String] {
    [
      "--format=\(format)", "--animate=off", "--size=\(size.columns)x\(size.rows)",
      "--polite=on",
    ] + colors + [Self.imagePath]
  }

  private var format: String {
    switch graphics {
    case .kitty: "kitty"
    case .iterm: "iterm"
    case .sixel: "sixels"
    case .blocks, .none: "symbols"
    }
  }

  private var colors: [String] {
    guard graphics == .blocks || graphics == .none else { return [] }
    return switch colorCount {
    case ...2: ["--colors=none"]
    case ...256: ["--colors=256", "--symbols=vhalf"]
    default: ["--colors=full", "--symbols=vhalf"]
    }
  }
}

/// A terminal for a program's standard error that shows nothing: `chafa` asks it
/// how large a cell is (ioctl_tty(2), TIOCGWINSZ).
private final class PretendedTerminal {
  let childEnd: Int32
  private let ownEnd: Int32

  init?(_ cell: PixelSize) {
    var ends: [Int32] = [-1, -1]
    let (width, height) = (UInt16(clamping: cell.width), UInt16(clamping: cell.height))
    guard posix_pretended_terminal(&ends, width, height) == 0 else { return nil }
    (ownEnd, childEnd) = (ends[0], ends[1])
  }

  deinit {
    close(childEnd)
    close(ownEnd)
  }
}
