internal import Glibc
internal import Processes

/// exiv2(1): lists what a photo's file tells beside the picture, and removes
/// some of it.
///
/// It parses what cameras, phones and strangers have written, so it runs in
/// another process with limits of memory and time (prlimit(1), timeout(1)), where
/// bubblewrap is there without a network and with nothing but the folder of the
/// copy that it works on (bwrap(1)).
struct MetadataTool {
  private let program: String
  private let environment: [String: String]
  /// Whether bubblewrap is there, and the system lets it work.
  private var isSandboxed = false

  /// More keys than any camera writes.
  private static let outputBytes = 1 << 20

  /// Looks for it in `PATH`.
  init(_ environment: [String: String]) throws(PlaceFailure) {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let candidates: [String] = folders.map { "\($0)/exiv2" }
    let program = candidates.first { access($0, X_OK) == 0 }
    guard let program else { throw .notInstalled(program: "exiv2") }
    (self.program, self.environment) = (program, environment)
  }

  /// The same, to work on a copy: shut in with it, where that can be.
  func shutIn(with copy: OutgoingFile) async -> MetadataTool {
    var tool = self
    tool.isSandboxed = true
    // Where it is not one of the system's programs, it is not to be seen within.
    let outcome = try? await tool.run(["--version"], copy)
    tool.isSandboxed = outcome?.status == 0
    return tool
  }

  /// The keys of everything in the file, such as `Exif.Image.Orientation`.
  func keys(of copy: OutgoingFile) async throws(PlaceFailure) -> [String] {
    let (status, output) = try await run(["-q", "-PEIXk", "pr"], copy)
    switch status {
    case 0: break
    case 127: throw .cannotStart(program: "exiv2", errorNumber: ENOENT)
    case 124, 137: throw .timedOut
    default: throw .unreadable
    }
    guard output.count < Self.outputBytes else { throw .unreadable }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }

  /// Removes what stands under these keys. Whether it is gone, only listing the
  /// rest tells: exiv2 takes all of them or none.
  func remove(_ keys: [String], from copy: OutgoingFile) async {
    guard !keys.isEmpty else { return }
    _ = try? await run(["-q"] + keys.flatMap { ["-M", "del \($0)"] } + ["mo"], copy)
  }

  /// Removes all of XMP. Whether it is gone, only listing the rest tells.
  func removeXMP(from copy: OutgoingFile) async {
    _ = try? await run(["-q", "-d", "x", "rm"], copy)
  }

  private func run(
    _ arguments: [String], _ copy: OutgoingFile
  ) async throws(PlaceFailure) -> (status: Int32, output: [UInt8]) {
    guard let pipe = Pipe() else { throw .cannotStart(program: "exiv2", errorNumber: EMFILE) }
    let child: ChildProcess
    do {
      child = try ChildProcess(
        limits + sandbox(sharing: copy.folder) + [program] + arguments + [copy.path],
        environment: childEnvironment, input: .null, output: .descriptor(pipe.writeEnd),
        error: .null, session: .own)
    } catch {
      pipe.closeReadEnd()
      pipe.closeWriteEnd()
      throw .cannotStart(program: error.program, errorNumber: error.errorNumber)
    }
    pipe.closeWriteEnd()
    var output: [UInt8] = []
    let status = await child.waitUntilExit(whileRunning: {
      output = await pipe.collect(limit: Self.outputBytes)
    })
    return (status, output)
  }

  /// A photo is in memory some times over while it is written.
  private var limits: [String] {
    [
      "timeout", "--kill-after=1", "20", "prlimit", "--as=2147483648", "--cpu=20",
      "--fsize=268435456", "--nofile=32", "--core=0",
    ]
  }

  /// No `HOME`: no file of settings is read.
  private var childEnvironment: [String: String] {
    ["PATH": environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  }

  /// Begins a command that can write in one folder, and reach nothing else.
  private func sandbox(sharing folder: String) -> [String] {
    guard isSandboxed else { return [] }
    let system = ["/usr", "/lib", "/lib64", "/bin"].flatMap { ["--ro-bind-try", $0, $0] }
    return ["bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"] + system
      + ["--bind", folder, folder, "--"]
  }
}
